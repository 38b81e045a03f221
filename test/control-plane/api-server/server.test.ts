import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { pino } from 'pino';
import { type ApiServer, createApiServer } from '../../../src/control-plane/api-server/server.ts';
import { listen } from '../../../src/http/http-server.ts';
import { until } from '../../support/until.ts';

const lines: string[] = [];
let api: ApiServer;
let url: string;
beforeEach(async () => {
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  api = createApiServer({
    section: 'admin',
    limits: { maxConnections: 10 },
    isTrustedProxy: () => false,
    clock: Date.now,
    logger,
  });
  url = await listen(api.server, { host: '127.0.0.1', port: 0, portVariable: 'TOLLGATE_ADMIN_PORT' });
});
afterEach(() => api.drain(0));

/** An installation can be replaced on disk while the gateway runs, so files that are loaded later may not match. */
test('if an API cannot be created, its requests get 500 until a later attempt succeeds', async () => {
  let fails = true;
  api.use(() => {
    if (fails) throw new Error('its document is another now');
    return (_req, res) => void res.end('made');
  });
  const response = await fetch(url);
  expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_error' }]);
  expect(lines.join()).toContain('its document is another now');
  fails = false;
  expect(await (await fetch(url)).text()).toBe('made');
});

test('requests wait while an API is created, and it is created only once', async () => {
  const created = Promise.withResolvers<RequestListener>();
  let attempts = 0;
  api.use(() => {
    attempts++;
    return created.promise;
  });
  const responses = ['/a', '/b'].map(async (path) => (await fetch(`${url}${path}`)).text());
  await until(() => attempts === 1);
  created.resolve((req, res) => void res.end(req.url));
  expect(await Promise.all(responses)).toEqual(['/a', '/b']);
  expect([await (await fetch(`${url}/c`)).text(), attempts]).toEqual(['/c', 1]);
});

test('an API that is replaced while it is created serves only the requests that waited for it', async () => {
  const created = Promise.withResolvers<RequestListener>();
  let begun = false;
  api.use(() => {
    begun = true;
    return created.promise;
  });
  const waiting = fetch(url);
  await until(() => begun);
  api.use(() => (_req, res) => void res.end('second'));
  expect(await (await fetch(url)).text()).toBe('second');
  created.resolve((_req, res) => void res.end('first'));
  expect(await (await waiting).text()).toBe('first');
  expect(await (await fetch(url)).text()).toBe('second');
});
