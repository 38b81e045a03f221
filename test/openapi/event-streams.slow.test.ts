/**
 * An event stream once continued for as long as its service wanted, even after its key was revoked, disabled, expired
 * or banned. It also delayed a drain until the deadline.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { createService } from '../support/services/contract-service.ts';
import { root, type TestGateway } from '../support/gateway/gateway.ts';
import { serveHttp, type HttpService } from '../support/services/http-service.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../support/raw.ts';
import { startStopwatch, measureTime } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';

const DEADLINE_MS = 120_000;
/** Streams are checked every second. The rest of this time is for a busy machine. */
const SOON_MS = 60_000;
/** The time after which the client closes a stream, so that an endless stream fails its own test and no other. */
const GIVE_UP_MS = 90_000;
const module = join(root, 'test/support/services/contract-service.ts');

interface NewKey {
  readonly key: string;
  readonly id: string;
}

let service: HttpService;
beforeAll(async () => {
  service = await serveHttp(createService().handler);
});
afterAll(() => service.close());

describe.each([
  ['in process', () => ({ name: 'contract', openapi: contractDocument, module })],
  ['HTTP', () => contractTarget(service.url)],
])('an event stream of an upstream: %s', (_, upstream) => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGatewayWithUpstreams([upstream()], { drain: { deadline: `${DEADLINE_MS}ms` } });
  });
  afterAll(() => gateway.stop());

  async function createKey(over: object = {}): Promise<NewKey> {
    const body = JSON.stringify({ name: 'n', owner: 'acme', plan: 'free', ...over });
    return (await (await gateway.admin('/v1/keys', { method: 'POST', body })).json()) as NewKey;
  }

  const change = (id: string, path: string, method: string, body?: object) =>
    gateway.admin(`/v1/keys/${id}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });

  async function begin(key: string | null, at = gateway): Promise<Response> {
    const response = await at.call('/events', { key, signal: AbortSignal.timeout(GIVE_UP_MS) });
    expect(response.status).toBe(200);
    return response;
  }

  /** Reads a stream until it ends. */
  async function end(response: Response): Promise<{ ms: number; text: string }> {
    const { ms, value: text } = await measureTime(() => response.text());
    return { ms, text };
  }

  test.each([
    ['revoked', (id: string) => change(id, '', 'DELETE')],
    ['disabled', (id: string) => change(id, '', 'PATCH', { status: 'disabled' })],
    ['restricted to other addresses', (id: string) => change(id, '', 'PATCH', { addresses: ['203.0.113.0/24'] })],
    ['banned', (id: string) => change(id, '/ban', 'PUT', { seconds: 60, reason: 'test' })],
    ['expired', (id: string) => change(id, '', 'PATCH', { expiresAt: new Date(Date.now() + 200).toISOString() })],
  ])('ends with a complete response when its key is %s', async (_how, act) => {
    const { key, id } = await createKey();
    const stream = await begin(key);
    expect((await act(id)).status).toBeLessThan(300);
    const { ms, text } = await end(stream);
    expect(ms).toBeLessThan(SOON_MS);
    expect(text).toMatch(/^(?:data: tick\n\n)*$/);
  });

  test('continues while its key is valid, and releases its service at the end', async () => {
    const { key, id } = await createKey();
    const stream = await begin(key);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const before = Number(await (await gateway.call('/left')).text());
    await change(id, '', 'DELETE');
    const { text } = await end(stream);
    expect(text).toMatch(/^(?:data: tick\n\n)+$/);
    const left = async () => Number(await (await gateway.call('/left')).text());
    await until(async () => (await left()) !== before);
    expect(await left()).toBe(before + 1);
  });

  test('over HTTP/1.0 ends with its connection', async () => {
    const { key, id } = await createKey();
    const connection = new RawConnection(gateway.url).send(
      `GET /events HTTP/1.0\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`,
    );
    await connection.until(/tick/);
    await change(id, '', 'DELETE');
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 200 /);
    connection.close();
  });

  test('does not delay a drain, with a key or without one, even if it began during the drain', async () => {
    const drained = await startGatewayWithUpstreams([upstream()], { drain: { deadline: `${DEADLINE_MS}ms` } });
    const open = [await begin(drained.demoKey, drained), await begin(null, drained)];
    const stopwatch = startStopwatch();
    const ended = Promise.all(open.map((stream) => stream.text()));
    const late = new RawConnection(drained.url).send('GET /public HTTP/1.1\r\nHost: x\r\n\r\n');
    await late.readResponse();
    const stopped = drained.stop();
    late.send('GET /events HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await late.closed()).toMatch(/^HTTP\/1\.1 200 [^]*\r\n0\r\n\r\n$/);
    await stopped;
    expect(stopwatch.stop()).toBeLessThan(DEADLINE_MS / 2);
    for (const text of await ended) expect(text).toMatch(/^(?:data: tick\n\n)*$/);
  });
});
