/**
 * Event streams may last for days. They keep their service open, but nothing else of the configuration with which they
 * began, neither its documents nor its handlers.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { queryObjects } from 'node:v8';
import { Pool } from 'undici';
import { Generation } from '../../../src/assembly/generation.ts';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { until } from '../../support/until.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';

const RELOADS = 20;
/**
 * The number of reloads between two measurements. Before the first measurement, caches and compiled code grow to their
 * usual size.
 */
const MEASURED_EVERY = 5;
/** The number of requests between two reloads. */
const BETWEEN = 20;
const CLIENTS = 4;
/**
 * The size of a document. It is far larger than anything else that grows. A stream takes 60 kB with all four of its
 * ends, and the gateway may keep the document of the last reload or two.
 */
const DOCUMENT_BYTES = 4_000_000;

const streams: ServerResponse[] = [];
const held: ServerResponse[] = [];
/** The number of generations that other tests in this process have left. */
let others = 0;
let service: HttpService;
let gateway: ReloadingGateway;
let pool: Pool;

/** Counts the generations in memory. Collects garbage first, so that `heapUsed` is exact afterward. */
function countGenerations(): number {
  return queryObjects(Generation, { format: 'count' });
}

beforeAll(async () => {
  others = countGenerations();
  service = await serveHttp((req, res) => {
    if (req.url === '/held') held.push(res);
    else if (req.url === '/stream') {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: begins\n\n');
      streams.push(res);
    } else res.end('now');
  });
  gateway = await startReloadingGateway((write) => {
    write('plans.yaml', createPlans({ minute: 10_000_000, day: 10_000_000 }));
    write('service.json', largeDocument(0));
    return { settings: createSettings(0) };
  });
  pool = new Pool(gateway.url, { connections: CLIENTS });
});
afterAll(async () => {
  await pool.destroy();
  await gateway.stop();
  await service.close();
});

function createSettings(round: number): Record<string, unknown> {
  const timeouts = { idle: '10m', response: '10m' };
  const upstreams = [{ name: 'service', openapi: 'service.json', targets: [service.url], timeouts }];
  // The test keeps the log lines in memory, where their growing number would look like a leak.
  return { plans: 'plans.yaml', logLevel: 'error', upstreams, guard: { failedAttempts: 10 + round } };
}

/** Writes a large document as JSON, because reading YAML of this size takes long. */
function largeDocument(round: number): string {
  const summary = `${round} `.padEnd(DOCUMENT_BYTES / 100, '.');
  const more = Array.from({ length: 100 }, (_, index) => [`op${index}`, { summary: `${index} ${summary}` }] as const);
  return JSON.stringify(createDocument({ now: {}, stream: {}, held: {}, ...Object.fromEntries(more) }));
}

async function request(path: string) {
  return pool.request({ method: 'GET', path, headers: { 'x-api-key': gateway.demoKey } });
}

test(`event streams that stay open during ${RELOADS} reloads keep no earlier configuration`, async () => {
  const stopping = new AbortController();
  const responses = new Set<string>();
  let answered = 0;
  const client = async () => {
    while (!stopping.signal.aborted) {
      const { statusCode, body } = await request('/now');
      responses.add(`${statusCode} ${await body.text()}`);
      answered++;
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const received: Promise<string>[] = [];
  const used: number[] = [];
  const generations: number[] = [];
  for (let round = 1; round <= RELOADS; round++) {
    const stream = await fetch(`${gateway.url}/stream`, { headers: { 'x-api-key': gateway.demoKey } });
    expect(stream.status).toBe(200);
    received.push(stream.text());
    const before = answered;
    await until(() => answered >= before + BETWEEN);
    gateway.configure(createSettings(round));
    gateway.write('service.json', largeDocument(round));
    expect(await gateway.reload()).toMatchObject({ status: 200, body: { restart: [] } });
    if (round % MEASURED_EVERY !== 0) continue;
    generations.push(countGenerations() - others);
    used.push(process.memoryUsage().heapUsed);
  }
  stopping.abort();
  await Promise.all(clients);
  expect([...responses]).toEqual(['200 now']);
  expect(Math.max(...generations)).toBeLessThanOrEqual(3);
  // If streams kept their documents, every reload since the first measurement would add one.
  const documents = (used.at(-1)! - used[0]!) / DOCUMENT_BYTES;
  expect(documents).toBeLessThan((RELOADS - MEASURED_EVERY) / 2);
  for (const each of streams) each.end('data: ends\n\n');
  expect(new Set(await Promise.all(received))).toEqual(new Set(['data: begins\n\ndata: ends\n\n']));
});

test('a reload is refused if requests of two earlier configurations do not end within 20 seconds', async () => {
  const calls = [];
  for (const round of [1000, 1001]) {
    calls.push(request('/held'));
    await until(() => held.length === calls.length);
    gateway.configure(createSettings(round));
    expect(await gateway.reload()).toMatchObject({ status: 200 });
  }
  gateway.configure(createSettings(1002));
  const message = expect.stringContaining('requests of 2 earlier configurations are still running');
  expect(await gateway.reload()).toMatchObject({ status: 422, body: { details: [{ message }] } });
  for (const each of held) each.end('held');
  expect(await Promise.all(calls.map(async (call) => (await call).body.text()))).toEqual(['held', 'held']);
  expect(await gateway.reload()).toMatchObject({ status: 200, body: { changed: ['guard.failedAttempts'] } });
});
