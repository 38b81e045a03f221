/**
 * Coordinated omission: a load generator that waits for each response sends nothing while the gateway stalls, so a
 * stall of a third of the run shows up as one slow request per connection. Therefore latencies are measured from when a
 * request was due.
 */
import { afterEach, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ResponseReader } from '../../bench/lab/open-loop/answer-reader.ts';
import { poissonArrivals } from '../../bench/lab/open-loop/arrivals.ts';
import { type LoadPlan, runLoad } from '../../bench/lab/open-loop/run-load.ts';

const STALL_MS = 300;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Responds immediately, but stalls all responses for a while at the 50th request. */
async function startStalling(status = 200): Promise<number> {
  let [count, stalled] = [0, false];
  const held: (() => void)[] = [];
  const server = createServer((_req, res) => {
    res.statusCode = status;
    if (++count === 50) {
      stalled = true;
      setTimeout(() => {
        stalled = false;
        for (const response of held) response();
      }, STALL_MS);
    }
    if (stalled) held.push(() => res.end('pet'));
    else res.end('pet');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function plan(port: number, perSecond: number | null): LoadPlan {
  const request = 'GET / HTTP/1.1\r\nHost: pets\r\n\r\n';
  return { port, request, status: 200, connections: 4, perSecond, warmUpSeconds: 0, seconds: 1, seed: 1 };
}

test('the latency of requests that were due during a stall includes the wait until its end', async () => {
  const report = await runLoad(plan(await startStalling(), 1000));
  expect(report.unanswered).toBe(0);
  expect(report.answers).toBe(poissonArrivals(1000, 1, 1).length);
  // About 300 of 1,000 requests were due during the stall. If only sent requests were measured, just the 4 in flight
  // (less than 1%) would be slow.
  expect(report.p99).toBeGreaterThan(STALL_MS * 0.8);
});

test('a closed loop hides the same stall', async () => {
  // The run is long enough that the 4 waiting requests are less than 1%, even on a slow machine.
  const report = await runLoad({ ...plan(await startStalling(), null), seconds: 3 });
  expect(report.answers).toBeGreaterThan(500);
  expect(report.p99).toBeLessThan(STALL_MS * 0.8);
});

test('responses with an unexpected status are counted', async () => {
  const report = await runLoad({ ...plan(await startStalling(503), 100), seconds: 0.2 });
  expect(report.wrongStatus).toBe(report.answers);
  expect(report.answers).toBeGreaterThan(0);
});

test('arrivals form a Poisson process, and are the same for the same seed', () => {
  const times = poissonArrivals(1000, 50, 7);
  expect(times).toEqual(poissonArrivals(1000, 50, 7));
  expect(times).not.toEqual(poissonArrivals(1000, 50, 8));
  expect(times.at(-1)).toBeLessThan(50_000);
  // The expected number is 50,000, with a standard deviation of 224.
  expect(Math.abs(times.length - 50_000)).toBeLessThan(1000);
  // In an exponential distribution, 1 - 1/e of the gaps are below the mean.
  const short = times.filter((time, index) => time - (times[index - 1] ?? 0) < 1).length;
  expect(short / times.length).toBeCloseTo(1 - 1 / Math.E, 2);
});

test('a response that is split at any byte is parsed', () => {
  const response = Buffer.from('HTTP/1.1 429 Too Many Requests\r\nX: y\r\nContent-Length: 3\r\n\r\npet');
  for (let cut = 1; cut < response.length; cut++) {
    const reader = new ResponseReader();
    expect(reader.read(response.subarray(0, cut), cut)).toBeNull();
    expect(reader.read(response.subarray(cut), response.length - cut)).toBe(429);
    expect(reader.read(response, response.length)).toBe(429);
  }
});

test('a response without a length, and more than one response at a time, are refused', () => {
  const endless = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  expect(() => new ResponseReader().read(endless, endless.length)).toThrow('no Content-Length');
  const two = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\npets');
  expect(() => new ResponseReader().read(two, two.length)).toThrow('more than an answer');
});
