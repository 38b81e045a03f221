/**
 * If a module misuses its response, only its own request may fail. A write after the end once emitted an `error`
 * without a listener, and an exception in a timer was uncaught, so that the process and all its requests ended. If a
 * body did not have the announced length, the client read the rest of it as the response to its next request.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/gateway/gateway.ts';
import { until } from '../support/until.ts';
import { contractDocument } from '../support/gateway/gateway-with-upstreams.ts';
import { runGateway } from '../support/gateway/process.ts';
import { RawConnection } from '../support/raw.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let gateway: Awaited<ReturnType<typeof runGateway>>;
let key: string;

beforeAll(async () => {
  const folder = temporaryDirectory();
  const plans = join(folder, 'plans.yaml');
  const limits = { minute: 1_000_000, day: 1_000_000 };
  writeFileSync(plans, stringify({ plans: [{ id: 'free', name: 'Free', limits }] }));
  const module = join(root, 'test/support/services/misuse-service.ts');
  const upstreams = [{ name: 'misuse', openapi: contractDocument, module }];
  const config = join(folder, 'gateway.yaml');
  writeFileSync(config, stringify({ demo: true, plans, upstreams, drain: { deadline: '50ms' } }));
  gateway = await runGateway(folder, { TOLLGATE_CONFIG: config });
  key = /tg_live_\w+/.exec(gateway.output())?.[0] ?? '';
});
afterAll(async () => {
  // The process is still the same one that has served all requests.
  expect(gateway.child.exitCode).toBeNull();
  expect(gateway.output()).not.toContain('uncaught error');
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended()).toBe(0);
});

const get = (path: string, headers = '') =>
  `GET /echo/${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${headers}\r\n`;

/** Requests `path`, and then `fine` on the same connection. Returns everything that it receives. */
async function ask(path: string): Promise<string> {
  const connection = new RawConnection(gateway.publicUrl);
  connection.send(get(path) + get('fine', 'Connection: close\r\n'));
  const text = await connection.closed();
  connection.close();
  return text;
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
const bodies = (text: string) => text.split(/HTTP\/1\.1 \d{3} /).map((response) => response.split('\r\n\r\n')[1] ?? '');

describe('after a complete response, the connection stays open, and the response of a module that misuses it arrives', () => {
  test.each(['write-after-end', 'end-twice', 'throw-in-timer-late', 'throw-after-end'])(
    'unchanged with 200: %s',
    async (path) => {
      const text = await ask(path);
      expect(statuses(text)).toEqual([200, 200]);
      expect(bodies(text).slice(1)).toEqual(['whole', 'fine']);
    },
  );
});

describe('before the headers are sent, a module that misuses the response', () => {
  const before = [
    'throw-in-timer',
    'reject-unheard',
    'bad-status',
    'bad-header',
    'no-length',
    'characters-for-bytes',
    'emit-error',
  ];
  test.each(before)('gets a 500 in its place: %s', async (path) => {
    const text = await ask(path);
    expect(statuses(text)).toEqual([500, 200]);
    expect(bodies(text)[1]).toContain('"code":"internal_error"');
    expect(bodies(text)[2]).toBe('fine');
  });
});

describe('after the headers, misuse of the response closes the connection, and no byte becomes part of another response', () => {
  test.each(['too-short', 'too-long', 'none-for-head', 'head-twice', 'destroy-with-error'])('%s', async (path) => {
    const text = await ask(path);
    expect(text).not.toContain('forged');
    expect(text).not.toContain('fine');
    expect(statuses(text).length).toBeLessThan(2);
  });
});

test('the log has the misused request and the error', async () => {
  const connection = new RawConnection(gateway.publicUrl);
  connection.send(get('too-long', 'X-Request-Id: the-long-one\r\n'));
  await connection.closed();
  const line = () =>
    gateway
      .output()
      .split('\n')
      .find((each) => each.includes('the-long-one') && each.includes('"err"'));
  await until(() => line() !== undefined);
  expect(line()).toContain('Content-Length is 5, but the body has at least');
});

test.each(['throw', 'throw-later', 'emit-close'])(
  'an upgrade whose handler fails (%s) closes that connection',
  async (path) => {
    const connection = new RawConnection(gateway.publicUrl);
    connection.send(
      get(path, 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n'),
    );
    await connection.closed();
    connection.close();
  },
);
