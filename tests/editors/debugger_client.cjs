// The client that VS Code offers for testing debug adapters, beside this project's own: launch, breakpoints, steps in
// both directions, the end. Called with the command that starts the adapter and a rules file, and a line of it; prints what was reached.

const assert = require("node:assert");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const [command, game, line] = process.argv.slice(2);

async function main() {
    const client = new DebugClient(command, "dap", "regelwerk");
    client.defaultTimeout = 60_000;
    await client.start();
    const capabilities = (await client.initializeRequest()).body;
    assert(capabilities.supportsStepBack && capabilities.supportsConfigurationDoneRequest);
    const launching = { program: game, seats: { all: "random" }, seed: 3 };
    await client.hitBreakpoint(launching, { path: game, line: Number(line) });
    const reached = [];
    for (const step of ["stepInRequest", "stepBackRequest", "nextRequest", "stepBackRequest"]) {
        const stopped = client.waitForEvent("stopped");
        await client[step]({ threadId: 1 });
        await stopped;
        const frame = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames[0];
        reached.push(`${frame.name}:${frame.line}`);
    }
    await client.setBreakpointsRequest({ source: { path: game }, breakpoints: [] });
    const end = client.waitForEvent("stopped");
    await client.continueRequest({ threadId: 1 });
    reached.push((await end).body.description);
    const terminated = client.waitForEvent("terminated");
    await client.continueRequest({ threadId: 1 });
    await terminated;
    await client.stop();
    console.log(JSON.stringify(reached));
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
