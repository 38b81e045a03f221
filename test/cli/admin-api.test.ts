import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Admin, startAdmin, TOKEN, VIEWER } from '../support/gateway/admin.ts';
import { createCli, runCommand } from '../support/gateway/cli.ts';
import { startTestGateway } from '../support/gateway/gateway.ts';
import { TestAuthority } from '../support/servers/certificates.ts';
import { tempFolder } from '../support/temp-folder.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterAll(() => admin.stop());

/** Runs a command against a server that is not a gateway. */
async function runAgainst(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = await runCommand(['keys', 'list'], { env: { TOLLGATE_ADMIN_URL: url, TOLLGATE_ADMIN_TOKEN: TOKEN } });
  server.closeAllConnections();
  server.close();
  return { ...run, url };
}

test('if no gateway responds, the error names the URL and says how to start a gateway', async () => {
  const free = await startAdmin();
  await free.stop();
  const env = { TOLLGATE_ADMIN_URL: free.url };
  const { code, out, err } = await cli.run(['keys', 'list'], { env });
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(`no gateway answers at ${free.url}: start one with "tollgate start"`);
  expect(err).toContain('or set TOLLGATE_ADMIN_URL');
});

test('if the URL has the wrong scheme or the certificate is not trusted, the error names the setting to change', async () => {
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
    expect.stringContaining('set NODE_EXTRA_CA_CERTS to the CA certificate'),
    expect.stringContaining('use https:// in TOLLGATE_ADMIN_URL'),
    expect.stringContaining('use http:// in TOLLGATE_ADMIN_URL'),
  ]);
});

test('the error about a wrong token says where the token came from and how to set another one', async () => {
  const { code, err } = await cli.run(['keys', 'list'], { env: { TOLLGATE_ADMIN_TOKEN: 'wrong-token' } });
  expect(code).toBe(1);
  expect(err).toBe(
    `tollgate: the gateway at ${admin.url} refused the token from TOLLGATE_ADMIN_TOKEN: set TOLLGATE_ADMIN_TOKEN, ` +
      'or TOLLGATE_ADMIN_TOKEN_FILE to the file admin-token in the data directory of that gateway\n',
  );
});

test('a read-only token cannot make changes, and the error says where the token came from', async () => {
  const env = { TOLLGATE_ADMIN_TOKEN: VIEWER };
  expect((await cli.run(['keys', 'list'], { env })).code).toBe(0);
  const { code, err } = await cli.run(['keys', 'revoke', 'key_a'], { env });
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(
      'This token is read-only.\n  The token is from TOLLGATE_ADMIN_TOKEN. Use a token with the role admin.\n',
    ),
  ]);
});

test('a server that is not a gateway is recognized, and its response is not shown', async () => {
  const responses: RequestListener[] = [
    (_req, res) => res.end('<html>hello'),
    (_req, res) => res.writeHead(404).end('{"error":"no"}'),
    (_req, res) => res.writeHead(502).end('bad gateway'),
  ];
  for (const response of responses) {
    const { code, out, err, url } = await runAgainst(response);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      new RegExp(`^tollgate: the server at ${url} is not the admin API of a gateway \\(it responded with \\d+\\)`),
    );
  }
});

// The error message once blamed the token or the path.
test('the public listener and the portal of a gateway are recognized', async () => {
  const gateway = await startTestGateway({ settings: { portal: { enabled: true } } });
  for (const [url, what] of [
    [gateway.url, 'the public listener of a gateway'],
    [gateway.portalUrl, 'the portal of a gateway'],
  ] as const) {
    const { code, out, err } = await cli.run(['keys', 'list'], { env: { TOLLGATE_ADMIN_URL: url } });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`${url} is ${what}: set TOLLGATE_ADMIN_URL to its admin listener`);
  }
  await gateway.stop();
});

test('the token is not sent to the target of a redirect', async () => {
  const seen: (string | undefined)[] = [];
  const { code } = await runAgainst((req, res) => {
    seen.push(req.url);
    res.writeHead(307, { Location: '/elsewhere' }).end();
  });
  expect([code, seen]).toEqual([1, ['/v1/keys?limit=100']]);
});

test('an error code such as "constructor" gets no hint', async () => {
  const { err } = await runAgainst((_req, res) => {
    res.writeHead(404, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ code: 'constructor', message: 'There is none.', status: 404 }));
  });
  expect(err).toBe('tollgate: There is none.\n');
});

test('a truncated response is reported as an error', async () => {
  const { code, err } = await runAgainst((_req, res) => {
    res.writeHead(200, { 'Content-Length': '100' });
    res.write('{"items"', () => res.destroy());
  });
  expect([code, err]).toEqual([1, expect.stringMatching(/^tollgate: cannot reach the admin API at /)]);
});

test('the error about an internal error of the gateway contains the request id to look up in the log', async () => {
  admin.database.sqlite.exec('ALTER TABLE audit RENAME TO away');
  const { code, err } = await cli.run(['audit', 'list']);
  admin.database.sqlite.exec('ALTER TABLE away RENAME TO audit');
  expect(code).toBe(1);
  expect(err).toMatch(/\n {2}The gateway's log has details for request id [\w-]{36}\.\n$/);
});
