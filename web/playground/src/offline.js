// The service worker: it answers with the files that it has kept. FILES and VERSION are put before by the build.

const OURS = "regelwerk-playground-";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(OURS + VERSION).then((cache) => cache.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(OURS) && name !== OURS + VERSION;
  const remove = async () => Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(remove().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(self.registration.scope)) return;
  const kept = async () => {
    const cache = await caches.open(OURS + VERSION);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(kept());
});
