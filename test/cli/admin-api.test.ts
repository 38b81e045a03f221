import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Admin, startAdmin, TOKEN, VIEWER } from '../support/gateway/admin.ts';
import { cliFor, runCommand } from '../support/gateway/cli.ts';
import { startTestGateway } from '../support/gateway/gateway.ts';
import { TestAuthority } from '../support/servers/certificates.ts';
import { tempFolder } from '../support/temp-folder.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

/** A command against a server that is no gateway. */
async function against(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = await runCommand(['keys', 'list'], { env: { TOLLGATE_ADMIN_URL: url, TOLLGATE_ADMIN_TOKEN: TOKEN } });
  server.closeAllConnections();
  server.close();
  return { ...run, url };
}

test('no gateway: where it was looked for, and how to start one', async () => {
  const free = await startAdmin();
  await free.stop();
  const env = { TOLLGATE_ADMIN_URL: free.url };
  const { code, out, err } = await cli.run(['keys', 'list'], { env });
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(`no gateway answers at ${free.url}: start one with "tollgate start"`);
  expect(err).toContain('or set TOLLGATE_ADMIN_URL');
});

test('TLS that does not fit: what to set', async () => {
  const folder = tempFolder();
  const { cert, key } = new TestAuthority(folder.path).issue('server');
  const listener: RequestListener = (_req, res) => res.end();
  const secure = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }, listener);
  const plain = createServer(listener);
  const errors = [];
  for (const [server, protocol] of [
    [secure, 'https'],
    [secure, 'http'],
    [plain, 'https'],
  ] as const) {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    errors.push((await cli.run(['keys', 'list'], { env: { TOLLGATE_ADMIN_URL: url } })).err);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  folder.remove();
  expect(errors).toEqual([
    expect.stringContaining('set NODE_EXTRA_CA_CERTS to the file of its authority'),
    expect.stringContaining('begin TOLLGATE_ADMIN_URL with https://'),
    expect.stringContaining('begin TOLLGATE_ADMIN_URL with http://'),
  ]);
});

test('a wrong token: where it came from, and which ones there are', async () => {
  const { code, err } = await cli.run(['keys', 'list'], { env: { TOLLGATE_ADMIN_TOKEN: 'wrong-token' } });
  expect(code).toBe(1);
  expect(err).toBe(
    `tollgate: the gateway at ${admin.url} does not know the token from TOLLGATE_ADMIN_TOKEN: set TOLLGATE_ADMIN_TOKEN, ` +
      'or TOLLGATE_ADMIN_TOKEN_FILE to the file admin-token in the data directory of that gateway\n',
  );
});

test('a token that may only read', async () => {
  const env = { TOLLGATE_ADMIN_TOKEN: VIEWER };
  expect((await cli.run(['keys', 'list'], { env })).code).toBe(0);
  const { code, err } = await cli.run(['keys', 'revoke', 'key_a'], { env });
  expect([code, err]).toEqual([1, expect.stringContaining('This token may only read: it is from')]);
});

test('something else that answers there is not taken for a gateway, and is not shown', async () => {
  const answers: RequestListener[] = [
    (_req, res) => res.end('<html>hello'),
    (_req, res) => res.writeHead(404).end('{"error":"no"}'),
    (_req, res) => res.writeHead(502).end('bad gateway'),
  ];
  for (const answer of answers) {
    const { code, out, err, url } = await against(answer);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      new RegExp(`^tollgate: what answers at ${url} \\(status \\d+\\) is not the admin API of a gateway`),
    );
  }
});

// It said that the gateway did not know the token, or that there was no such path.
test('the public listener of a gateway, and the portal, are named as such', async () => {
  const gateway = await startTestGateway({ settings: { portal: { enabled: true } } });
  for (const [url, what] of [
    [gateway.url, 'where consumers call a gateway'],
    [gateway.portalUrl, 'the portal of a gateway'],
  ] as const) {
    const { code, out, err } = await cli.run(['keys', 'list'], { env: { TOLLGATE_ADMIN_URL: url } });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`${url} is ${what}: set TOLLGATE_ADMIN_URL to its admin listener`);
  }
  await gateway.stop();
});

test('the token goes nowhere else', async () => {
  const seen: (string | undefined)[] = [];
  const { code } = await against((req, res) => {
    seen.push(req.url);
    res.writeHead(307, { Location: '/elsewhere' }).end();
  });
  expect([code, seen]).toEqual([1, ['/v1/keys?limit=100']]);
});

test('an error that has the name of a method has no hint', async () => {
  const { err } = await against((_req, res) => {
    res.writeHead(404, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ code: 'constructor', message: 'There is none.', status: 404 }));
  });
  expect(err).toBe('tollgate: There is none.\n');
});

test('an answer that breaks off', async () => {
  const { code, err } = await against((_req, res) => {
    res.writeHead(200, { 'Content-Length': '100' });
    res.write('{"items"', () => res.destroy());
  });
  expect([code, err]).toEqual([1, expect.stringMatching(/^tollgate: the admin API at .* cannot be reached/)]);
});

test('a fault of the gateway is told with the id that its log has', async () => {
  admin.database.sqlite.exec('ALTER TABLE audit RENAME TO away');
  const { code, err } = await cli.run(['audit', 'list']);
  admin.database.sqlite.exec('ALTER TABLE away RENAME TO audit');
  expect(code).toBe(1);
  expect(err).toMatch(/\n {2}request id [\w-]{36}: the gateway's log has more\n$/);
});
