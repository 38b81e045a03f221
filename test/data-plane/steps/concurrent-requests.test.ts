/**
 * The setting `concurrent` limits the requests of a key that are in flight. Without it, a client could occupy a service
 * with slow requests without exceeding its limits per minute. The tests that end a request use a key that may have one
 * request in flight, so the next request is refused if the ended one still counts.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { createService } from '../../support/services/contract-service.ts';
import {
  contractDocument,
  contractTarget,
  startGatewayWithUpstreams,
} from '../../support/gateway/gateway-with-upstreams.ts';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';
import { unusedUrl } from '../../support/services/unused-url.ts';
import { RawConnection } from '../../support/raw.ts';
import { until } from '../../support/until.ts';

const limits = { minute: 100_000, day: 1_000_000 };
const TOO_MANY = 'too_many_concurrent_requests';

interface NewKey {
  readonly id: string;
  readonly key: string;
}

async function changePlan(gateway: TestGateway, id: string, over: object): Promise<void> {
  const body = JSON.stringify({ name: id, limits, ...over });
  expect((await gateway.admin(`/v1/plans/${id}`, { method: 'PUT', body })).status).toBeLessThan(300);
}

async function createKey(gateway: TestGateway, over: object = {}): Promise<NewKey> {
  const body = JSON.stringify({ name: 'a', owner: 'acme', plan: 'free', ...over });
  const response = await gateway.admin('/v1/keys', { method: 'POST', body });
  expect(response.status).toBe(201);
  return (await response.json()) as NewKey;
}

async function readCode(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code: string };
  return `${response.status} ${code}`;
}

const isServed = (gateway: TestGateway, key: string) => async () =>
  (await gateway.call('/echo', { key })).status === 200;

let service: HttpService;
beforeAll(async () => {
  const { handler, upgrade } = createService();
  service = await serveHttp(handler);
  service.server.on('upgrade', upgrade);
});
afterAll(() => service.close());

const module = join(root, 'test/support/services/contract-service.ts');

describe.each([
  ['in process', () => ({ name: 'contract', openapi: contractDocument, module })],
  ['HTTP', () => contractTarget(service.url)],
])('with an upstream: %s', (_, upstream) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGatewayWithUpstreams([upstream()], { edge: { tunnelIdle: '1h' } }, limits);
  });
  afterAll(() => gateway.stop());

  const head = (key: string, line: string, ...headers: string[]) =>
    [`${line} HTTP/1.1`, 'Host: x', `X-API-Key: ${key}`, ...headers, '', ''].join('\r\n');
  const handshake = (key: string, path = '/echo') =>
    head(
      key,
      `GET ${path}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    );

  /** Sends requests to which the service does not respond, and waits until they are in flight. */
  async function hang(key: string, requests = 1): Promise<RawConnection> {
    for (;;) {
      const connection = new RawConnection(gateway.url).send(head(key, 'GET /hang').repeat(requests));
      // The call uses another key, so that it does not take the place of the request.
      await gateway.call('/echo');
      await until(async () => connection.received !== '' || !(await isServed(gateway, key)()));
      if (connection.received === '') return connection;
      // The request was refused, because one of the requests that wait for it was in flight. Send it again.
      connection.close();
    }
  }

  test('requests above the limit are refused without a charge or a strike', async () => {
    const { key } = await createKey(gateway, { concurrent: 2 });
    const open = [0, 1].map(() => new RawConnection(gateway.url).send(head(key, 'GET /events')));
    for (const connection of open) await connection.until(/tick/);
    const used = await readUsage(key);
    for (let time = 0; time < 30; time++) {
      const refused = await gateway.call('/echo', { key });
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('x-should-retry')).toBeNull();
      expect(refused.headers.get('x-ratelimit-limit')).toBe(String(limits.minute));
      expect(await readCode(refused)).toBe(`429 ${TOO_MANY}`);
    }
    expect(await readUsage(key)).toEqual(used);
    for (const connection of open) connection.close();
    await until(isServed(gateway, key));
  });

  async function readUsage(key: string) {
    const usage = (await (await gateway.call('/_gateway/usage', { key })).json()) as {
      windows: { used: number }[];
      ban: unknown;
    };
    return { used: usage.windows.map(({ used }) => used), ban: usage.ban };
  }

  test.each<[string, (key: string) => Promise<void>]>([
    ['its response is complete', async (key) => void (await (await gateway.call('/echo', { key })).text())],
    ['its response has no body', async (key) => void (await gateway.call('/status/204', { key, method: 'HEAD' }))],
    ['the service fails before its response', async (key) => void (await gateway.call('/throw', { key })).status],
    [
      'the service fails within its response',
      async (key) => {
        const broken = await gateway.call('/throw-later', { key });
        await expect(broken.text()).rejects.toThrow('terminated');
      },
    ],
    ['the service does not respond in time', async (key) => void (await gateway.call('/hang/timed', { key })).status],
    ['its path is unknown', async (key) => void (await gateway.call('/nothing', { key })).status],
    ['its method is not allowed', async (key) => void (await gateway.call('/left', { key, method: 'PUT' })).status],
    [
      'its body declares too many bytes',
      async (key) => void (await gateway.call('/small', { key, method: 'POST', body: 'x'.repeat(2000) })).status,
    ],
    [
      'its body turns out too large',
      async (key) => {
        const chunk = `7d0\r\n${'x'.repeat(2000)}\r\n`;
        const line = head(key, 'POST /small', 'Transfer-Encoding: chunked');
        const connection = new RawConnection(gateway.url).send(line);
        await new Promise(setImmediate);
        connection.send(chunk);
        expect((await connection.readResponse()).status).toBe(413);
        connection.close();
      },
    ],
    [
      'its body is malformed',
      async (key) => {
        const line = head(key, 'POST /mirror', 'Transfer-Encoding: chunked');
        const connection = new RawConnection(gateway.url).send(`${line}5\r\nabcde\r\n`);
        await connection.until(/abcde/);
        connection.send('zz\r\n');
        await connection.closed();
      },
    ],
    [
      'its client sends a part of the body and leaves',
      async (key) => {
        const line = head(key, 'POST /mirror', 'Content-Length: 100');
        const connection = new RawConnection(gateway.url).send(`${line}some`);
        await connection.until(/some/);
        connection.close();
      },
    ],
    [
      'its client leaves instead of sending the body it announced',
      async (key) => {
        const line = head(key, 'POST /echo', 'Content-Length: 100', 'Expect: 100-continue');
        const connection = new RawConnection(gateway.url).send(line);
        await connection.until(/100 Continue/);
        connection.close();
      },
    ],
    [
      'its client leaves while the service works',
      async (key) => {
        const connection = await hang(key);
        connection.close();
      },
    ],
    [
      'its client resets the connection',
      async (key) => {
        const connection = await hang(key);
        connection.socket.resetAndDestroy();
      },
    ],
    [
      'its client leaves within the response',
      async (key) => {
        const connection = new RawConnection(gateway.url).send(head(key, 'GET /stream'));
        await connection.until(/first/);
        connection.close();
      },
    ],
    [
      'its client does not read the response, and leaves',
      async (key) => {
        const connection = new RawConnection(gateway.url).send(head(key, 'GET /large?bytes=100000000'));
        await connection.until(/xxx/);
        connection.socket.pause();
        expect(await readCode(await gateway.call('/echo', { key }))).toBe(`429 ${TOO_MANY}`);
        connection.close();
      },
    ],
    [
      'its client sends more requests on the connection, and leaves',
      async (key) => {
        const connection = await hang(key, 5);
        connection.close();
      },
    ],
    [
      'it is an event stream whose client leaves',
      async (key) => {
        const connection = new RawConnection(gateway.url).send(head(key, 'GET /events'));
        await connection.until(/tick/);
        expect(await readCode(await gateway.call('/echo', { key }))).toBe(`429 ${TOO_MANY}`);
        connection.close();
      },
    ],
    [
      'it is a WebSocket that is closed',
      async (key) => {
        const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/echo`, { headers: { 'x-api-key': key } });
        await once(socket, 'open');
        expect(await readCode(await gateway.call('/echo', { key }))).toBe(`429 ${TOO_MANY}`);
        socket.close();
      },
    ],
    [
      'it is a WebSocket whose connection is cut off',
      async (key) => {
        const connection = new RawConnection(gateway.url).send(handshake(key));
        await connection.until(/\r\n\r\n/);
        expect(await readCode(await gateway.call('/echo', { key }))).toBe(`429 ${TOO_MANY}`);
        connection.socket.resetAndDestroy();
      },
    ],
    [
      'it is a handshake that the service declines',
      async (key) => {
        const connection = new RawConnection(gateway.url).send(handshake(key, '/echo/refused'));
        await connection.until(/418/);
        connection.close();
      },
    ],
    [
      'it is a handshake for an unknown path, whose connection stays open',
      async (key) => {
        const connection = new RawConnection(gateway.url).send(handshake(key, '/nothing'));
        await connection.until(/404/);
        await until(isServed(gateway, key));
        connection.close();
      },
    ],
    [
      'it is a handshake whose client leaves',
      async (key) => {
        for (let time = 0; time < 20; time++) {
          const connection = new RawConnection(gateway.url).send(handshake(key));
          await new Promise((resolve) => setTimeout(resolve, time / 5));
          connection.close();
        }
      },
    ],
    [
      'its client leaves at any moment',
      async (key) => {
        const line = head(key, 'POST /echo', 'Content-Length: 4');
        for (let time = 0; time < 60; time++) {
          const connection = new RawConnection(gateway.url).send(`${line}body`.slice(0, line.length - 4 + (time % 9)));
          await new Promise((resolve) => setTimeout(resolve, time / 10));
          if (time % 2 === 0) connection.close();
          else connection.socket.resetAndDestroy();
        }
      },
    ],
  ])('a request no longer counts after %s', async (_how, request) => {
    const { key } = await createKey(gateway, { concurrent: 1 });
    for (let time = 0; time < 3; time++) {
      await until(isServed(gateway, key));
      await request(key);
    }
    await until(isServed(gateway, key));
  });

  test('a request that admission refuses no longer counts', async () => {
    await changePlan(gateway, 'small', { limits: { minute: 1, day: 100 }, concurrent: 1 });
    const { id, key } = await createKey(gateway, { plan: 'small' });
    expect((await gateway.call('/echo', { key })).status).toBe(200);
    for (let time = 0; time < 3; time++)
      expect(await readCode(await gateway.call('/echo', { key }))).toBe('429 rate_limit_exceeded');
    await gateway.admin(`/v1/keys/${id}/usage/reset`, { method: 'POST', body: '{}' });
    expect((await gateway.call('/echo', { key })).status).toBe(200);
  });

  test('all keys of a quota count together, also after a rotation', async () => {
    const { id, key } = await createKey(gateway, { concurrent: 1 });
    const rotated = await gateway.admin(`/v1/keys/${id}/rotate`, { method: 'POST', body: '{}' });
    const { key: newer } = (await rotated.json()) as NewKey;
    const connection = await hang(key);
    expect(await readCode(await gateway.call('/echo', { key: newer }))).toBe(`429 ${TOO_MANY}`);
    connection.close();
    await until(isServed(gateway, newer));
  });

  test('a limit that is set later counts the requests that are in flight', async () => {
    const { id, key } = await createKey(gateway);
    const open = [0, 1, 2].map(() => new RawConnection(gateway.url).send(head(key, 'GET /events')));
    for (const connection of open) await connection.until(/tick/);
    const patch = { method: 'PATCH', body: JSON.stringify({ concurrent: 2 }) };
    expect((await gateway.admin(`/v1/keys/${id}`, patch)).status).toBe(200);
    for (const connection of open.splice(0, 2)) {
      expect(await readCode(await gateway.call('/echo', { key }))).toBe(`429 ${TOO_MANY}`);
      connection.close();
    }
    await until(isServed(gateway, key));
    open[0]?.close();
  });
});

describe('a plan’s limit of concurrent requests', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGatewayWithUpstreams([contractTarget(service.url)], {}, limits);
    await changePlan(gateway, 'two', { concurrent: 2 });
  });
  afterAll(() => gateway.stop());

  /** @returns how many event streams the key can open */
  async function openAtMost(key: string): Promise<number> {
    const ended = new AbortController();
    let served = 0;
    while (served < 9 && (await gateway.call('/events', { key, signal: ended.signal })).status === 200) served++;
    ended.abort();
    return served;
  }

  test('applies to its keys, and a key can have a lower limit', async () => {
    for (const [concurrent, allowed] of [
      [null, 2],
      [1, 1],
      [5, 2],
    ]) {
      const { key } = await createKey(gateway, { plan: 'two', concurrent });
      expect(await openAtMost(key)).toBe(allowed);
    }
  });

  test('does not count calls to the gateway’s endpoints or calls without a key', async () => {
    const { key } = await createKey(gateway, { plan: 'two', concurrent: 1 });
    const stream = new AbortController();
    expect((await gateway.call('/events', { key, signal: stream.signal })).status).toBe(200);
    expect((await gateway.call('/_gateway/usage', { key })).status).toBe(200);
    expect((await gateway.call('/public', { key: null })).status).toBe(200);
    stream.abort();
  });

  test('only reports in shadow mode which requests it would refuse', async () => {
    await changePlan(gateway, 'shadow', { concurrent: 1, mode: 'shadow' });
    const { id, key } = await createKey(gateway, { plan: 'shadow' });
    const stream = new AbortController();
    expect((await gateway.call('/events', { key, signal: stream.signal })).status).toBe(200);
    expect((await gateway.call('/echo', { key })).status).toBe(200);
    stream.abort();
    await until(() => gateway.responses().filter(({ keyId }) => keyId === id).length === 2);
    const logged = gateway.responses().filter(({ keyId }) => keyId === id);
    expect(logged.find(({ operation }) => operation === 'getEcho')).toMatchObject({ status: 200, shadow: TOO_MANY });
    expect(logged.find(({ operation }) => operation === 'getEvents')).not.toHaveProperty('shadow');
    expect(await (await gateway.admin('/metrics')).text()).toContain(
      'tollgate_admission_decisions_total{plan="shadow",window="concurrent",outcome="shadow_deny"} 1\n',
    );
  });

  test('appears in metrics and explains the refusals it causes', async () => {
    const { key } = await createKey(gateway, { plan: 'two', concurrent: 1 });
    const stream = new AbortController();
    expect((await gateway.call('/events', { key, signal: stream.signal })).status).toBe(200);
    const refused = await gateway.call('/echo', { key });
    const requestId = refused.headers.get('x-request-id');
    expect(refused.status).toBe(429);
    stream.abort();
    const metrics = await (await gateway.admin('/metrics')).text();
    expect(metrics).toMatch(/admission_decisions_total\{plan="two",window="concurrent",outcome="deny"\} [1-9]/);
    expect(metrics).toMatch(/refusals_total\{reason="too_many_concurrent_requests",upstream="contract"\} [1-9]/);
    let text = '';
    await until(async () => {
      const response = await gateway.admin(`/v1/requests/${requestId}`);
      text = await response.text();
      return response.status === 200;
    });
    expect(text).toContain(
      'The key already had 1 request in progress at this gateway, which is as many as it may have at once.',
    );
    expect(text).toContain('The request did not count against the quota.');
  });

  test.each([0, -1, 1.5, '5'])('cannot be %p', async (concurrent) => {
    const body = JSON.stringify({ name: 'a', limits, concurrent });
    const refused = await gateway.admin('/v1/plans/bad', { method: 'PUT', body });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ details: [expect.objectContaining({ path: '/concurrent' })] });
  });
});

test('a request no longer counts after its service could not be reached', async () => {
  const gateway = await startGatewayWithUpstreams([contractTarget(await unusedUrl())], {}, limits);
  try {
    const { key } = await createKey(gateway, { concurrent: 1 });
    for (let time = 0; time < 3; time++) expect((await gateway.call('/echo', { key })).status).toBe(502);
  } finally {
    await gateway.stop();
  }
});
