import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type ApiServer, createApiServer } from '../../../src/control-plane/api-server/server.ts';
import { listen } from '../../../src/http/http-server.ts';

const lines: string[] = [];
let api: ApiServer;
afterEach(() => api.drain(0));

/** An installation can be replaced on disk while the gateway runs, so files that are loaded later may not match. */
test('if the application cannot be created, requests get 500, and the process continues', async () => {
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  api = createApiServer({
    section: 'admin',
    limits: { maxConnections: 10 },
    isTrustedProxy: () => false,
    clock: Date.now,
    logger,
  });
  let fails = true;
  api.use(() => {
    if (fails) throw new Error('its document is another now');
    return (_req, res) => void res.end('made');
  });
  const url = await listen(api.server, { host: '127.0.0.1', port: 0, portVariable: 'TOLLGATE_ADMIN_PORT' });
  const answer = await fetch(url);
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'internal_error' }]);
  expect(lines.join()).toContain('its document is another now');
  fails = false;
  expect(await (await fetch(url)).text()).toBe('made');
});
