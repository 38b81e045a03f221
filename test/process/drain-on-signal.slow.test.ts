import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ask,
  keepAliveAgent,
  runSlowGateway,
  startSlowGateway,
  type SlowGateway,
} from '../support/gateway/lifecycle.ts';
import { measureTime } from '../support/stopwatch.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

// `test/http/drain-server.test.ts` tests what happens to connections.

/** A repeated signal within this time counts as the same signal. */
const SAME_SIGNAL_MS = 1000;

let folder: ReturnType<typeof tempFolder>;
let gateway: SlowGateway;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  gateway.child.kill('SIGKILL');
  folder.remove();
});

const start = async (drain: Record<string, string> = {}) => (gateway = await runSlowGateway(folder.path, { drain }));
const call = (path: string, agent = keepAliveAgent()) => ask(gateway.publicUrl + path, gateway.key, agent);
const signal = (name: NodeJS.Signals = 'SIGTERM') => gateway.child.kill(name);
const ready = async () => (await fetch(`${gateway.adminUrl}/readyz`)).status;

/** Waits until the gateway has accepted a request. */
const waitUntilAccepted = () =>
  until(async () => {
    const { body } = await ask(`${gateway.publicUrl}/_gateway/usage`, gateway.key, new Agent());
    const { windows } = JSON.parse(body) as { windows: { used: number }[] };
    return windows[0]?.used === 1;
  });

/** Waits for the process to exit. */
async function ended(): Promise<{ code: number | string; ms: number }> {
  const { ms, value: code } = await measureTime(() => gateway.ended());
  return { code, ms };
}

test('on SIGTERM, a running request is finished, and the exit code is 0', async () => {
  await start();
  const slow = call('/slow?ms=1000');
  await waitUntilAccepted();
  signal();
  await gateway.waitForOutput(/"draining"/);
  expect(await slow).toMatchObject({ status: 200, body: 'slow', headers: { connection: 'close' } });
  expect((await ended()).code).toBe(0);
  expect(gateway.output()).toContain('"stopped"');
});

test('a service that never closes is reported and does not block the exit, and everything else is saved', async () => {
  gateway = await runSlowGateway(folder.path, { drain: { deadline: '100ms' } }, {}, { closes: false });
  await call('/now');
  signal();
  const { code, ms } = await ended();
  expect(code).toBe(1);
  // Without the deadline, the process would never end.
  expect(ms).toBeLessThan(60_000);
  expect(gateway.output()).toContain('upstream slow did not close in time');
  const next = await startSlowGateway(folder.path);
  const history = await ask(`${next.url}/_gateway/usage/history`, gateway.key, new Agent());
  expect(JSON.parse(history.body)).toMatchObject({ series: [{ totals: { requests: 1 } }] });
  await next.stop();
});

describe('a second signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s within a second is ignored, and later forces the exit',
    async (name) => {
      await start({ deadline: '5m' });
      const cut = expect(call('/never')).rejects.toMatchObject({ code: 'ECONNRESET' });
      await waitUntilAccepted();
      signal(name);
      await gateway.waitForOutput(/"draining"/);
      signal(name);
      await sleep(SAME_SIGNAL_MS);
      expect(gateway.child.exitCode).toBeNull();
      signal(name);
      const { code, ms } = await ended();
      expect(code).toBe(1);
      // The drain itself would take five minutes.
      expect(ms).toBeLessThan(60_000);
      expect(gateway.output()).toContain('stopped before draining finished');
      await cut;
    },
  );
});

describe('uncaught error', () => {
  test.each(['throw', 'reject'])(
    '(%s) is logged, running requests are finished, and the exit code is 1',
    async (kind) => {
      await start();
      const slow = call('/slow?ms=1000');
      await waitUntilAccepted();
      await call(`/${kind}?ms=100`);
      await gateway.waitForOutput(
        /"level":60.*(?:uncaught exception|unhandled rejection) in the service.*uncaught error; draining/,
      );
      expect(await ready()).toBe(503);
      expect(await slow).toMatchObject({ status: 200, body: 'slow' });
      expect((await ended()).code).toBe(1);
    },
  );

  test('during a drain changes only the exit code', async () => {
    await start();
    const slow = call('/slow?ms=1000');
    await call('/throw?ms=300');
    signal();
    expect((await slow).status).toBe(200);
    expect((await ended()).code).toBe(1);
  });
});
