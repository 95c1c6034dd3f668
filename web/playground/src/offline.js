// The service worker: it answers with the files that it has kept. FILES and VERSION are put before by the build.

const OURS = "regelwerk-playground-";

/** What is compressed is kept unpacked: that takes longer than to read it. */
async function keep() {
  const cache = await caches.open(OURS + VERSION);
  await cache.addAll(FILES.filter((name) => !name.endsWith(".gz")));
  for (const name of FILES.filter((each) => each.endsWith(".gz"))) {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    const body = await response.arrayBuffer(), start = new Uint8Array(body, 0, 2);
    const isPacked = start[0] === 0x1f && start[1] === 0x8b; // some servers have it unpacked on the way
    await cache.put(name, new Response(isPacked ? new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip")) : body));
  }
}

self.addEventListener("install", (event) => {
  event.waitUntil(keep());
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
