import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { closeSync, copyFileSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { Agent, request } from 'undici';
import { captureLog } from '../../support/log-lines.ts';
import { until } from '../../support/until.ts';
import { petstore, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { TestAuthority, type TestCertificate } from '../../support/servers/certificates.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { Certificate } from '../../../src/http/reloaded-certificate.ts';
import { createHttpServer, endHandshakes } from '../../../src/http/http-server.ts';

const folder = tempFolder();
let authority: TestAuthority;
let first: TestCertificate;
let second: TestCertificate;
let gateway: TestGateway;
let agent: Agent;

beforeAll(async () => {
  authority = new TestAuthority(folder.path);
  [first, second] = [authority.issue('first'), authority.issue('second')];
  gateway = await startTestGateway({ settings: { tls: first, portal: { enabled: true, tls: second } } });
  agent = new Agent({ connect: { ca: readFileSync(authority.cert) } });
});
afterAll(async () => {
  await agent.close();
  await gateway.stop();
  folder.remove();
});

function open(url: string, options: object = {}): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), ca: readFileSync(authority.cert), ...options });
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
  });
}

function readName(socket: TLSSocket): string {
  return String(socket.getPeerCertificate().subject.CN);
}

test('every listener uses TLS, with its own certificate or the common one', async () => {
  const urls = [gateway.url, gateway.adminUrl, gateway.portalUrl];
  expect(urls.map((url) => new URL(url).protocol)).toEqual(['https:', 'https:', 'https:']);
  const sockets = await Promise.all(urls.map((url) => open(url)));
  expect(sockets.map(readName)).toEqual(['first', 'first', 'second']);
  for (const socket of sockets) socket.destroy();
});

test('the expiry of each certificate is a metric', async () => {
  const { body } = await request(`${gateway.adminUrl}/metrics`, { dispatcher: agent });
  const samples = [
    ...(await body.text()).matchAll(/^tollgate_certificate_expiry_seconds\{listener="(\w+)"\} (\d+)$/gm),
  ];
  const expiry = ({ cert }: TestCertificate) => Date.parse(new X509Certificate(readFileSync(cert)).validTo) / 1000;
  expect(samples.map(([, listener, at]) => [listener, Number(at)])).toEqual([
    ['public', expiry(first)],
    ['admin', expiry(first)],
    ['portal', expiry(second)],
  ]);
});

test('requests over TLS get the same responses as requests without it', async () => {
  const headers = { 'x-api-key': gateway.demoKey };
  const pets = await request(`${gateway.url}/pets`, { dispatcher: agent, headers });
  expect([pets.statusCode, pets.headers['x-ratelimit-limit']]).toEqual([200, '60']);
  await pets.body.dump();
  const refused = await request(`${gateway.url}/pets`, { dispatcher: agent });
  expect([refused.statusCode, ((await refused.body.json()) as { code: string }).code]).toEqual([401, 'key_missing']);
  const live = await request(`${gateway.adminUrl}/livez`, { dispatcher: agent });
  expect(live.statusCode).toBe(200);
  await live.body.dump();
});

test('a request over TLS reaches the service with X-Forwarded-Proto: https', async () => {
  const service = createServer((req, res) => res.end(String(req.headers['x-forwarded-proto'])));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const upstream = { name: 'pets', openapi: petstore.openapi, targets: [`http://127.0.0.1:${port}`] };
  const proxying = await startTestGateway({ settings: { tls: first, upstreams: [upstream] } });
  try {
    const headers = { 'x-api-key': proxying.demoKey };
    const response = await request(`${proxying.url}/pets`, { dispatcher: agent, headers });
    expect(await response.body.text()).toBe('https');
  } finally {
    await proxying.stop();
    service.close();
  }
});

test('TLS 1.1 and weak ciphers are refused; 1.2 and 1.3 are accepted', async () => {
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
  await expect(open(gateway.url, old)).rejects.toThrow(/protocol version|alert/i);
  for (const ciphers of ['AES128-SHA', 'AES256-GCM-SHA384', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384']) {
    const weak = open(gateway.url, { maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` });
    await expect(weak).rejects.toThrow(/handshake failure|alert/i);
  }
  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    const socket = await open(gateway.url, { minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    socket.destroy();
  }
});

test('connections without TLS are closed, and the listener still serves others', async () => {
  for (const url of [gateway.url, gateway.adminUrl, gateway.portalUrl]) {
    const { hostname, port } = new URL(url);
    const plain = connectPlain(Number(port), hostname);
    plain.on('error', () => undefined).resume();
    plain.write('GET /pets HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => plain.once('close', resolve));
    const socket = await open(url);
    socket.write('TOO BAD\r\n\r\n');
    const text: string = await new Promise((resolve) => {
      let received = '';
      socket.on('data', (chunk) => (received += String(chunk))).once('close', () => resolve(received));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test('a refusal that closes its connection reaches the client over TLS', async () => {
  const socket = await open(gateway.url);
  socket.write(`TRACE /pets HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nConnection: close\r\n\r\n`);
  const text: string = await new Promise((resolve) => {
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk))).once('close', () => resolve(received));
  });
  expect(text).toMatch(/^HTTP\/1\.1 405 /);
});

test('the gateway does not start with unusable certificate files, and the error names the reason', async () => {
  const start = (tls: object) => startTestGateway({ settings: { tls } });
  await expect(start({ cert: first.cert, key: second.key })).rejects.toThrow(
    /tls: .* cannot be used .*belong together/,
  );
  await expect(start({ cert: join(folder.path, 'nothing.pem'), key: first.key })).rejects.toThrow(/cannot be read/);
});

test.each(['cert', 'key'] as const)('an empty %s, as seen during a write, is not used', async (empty) => {
  const files = { cert: join(folder.path, `${empty}-a.pem`), key: join(folder.path, `${empty}-b.pem`) };
  copyFileSync(first.key, files.key);
  copyFileSync(first.cert, files.cert);
  const log = captureLog();
  const certificate = new Certificate(files, log.logger, 10);
  try {
    const pair = certificate.pair;
    writeFileSync(files[empty], '');
    await until(() => log.text().includes('a file is empty'));
    expect(certificate.pair).toBe(pair);
    copyFileSync(second.key, files.key);
    copyFileSync(second.cert, files.cert);
    await until(() => certificate.pair.cert === readFileSync(second.cert, 'utf8'));
    writeFileSync(files[empty], '');
    expect(() => new Certificate(files, log.logger)).toThrow(/a file is empty\): both must be PEM/);
  } finally {
    certificate.close();
  }
});

test('a file whose read hangs blocks only one thread of the process', async () => {
  const files = { cert: join(folder.path, 'hanging.pem'), key: join(folder.path, 'hanging-key.pem') };
  copyFileSync(first.cert, files.cert);
  copyFileSync(first.key, files.key);
  const certificate = new Certificate(files, captureLog().logger, 5);
  try {
    rmSync(files.cert);
    execFileSync('mkfifo', [files.cert]);
    // Wait long enough for more checks than the process has threads.
    await sleep(100);
    expect(await readFile(first.cert, 'utf8')).toContain('BEGIN CERTIFICATE');
  } finally {
    certificate.close();
    // Open and close the pipe for writing, which releases the blocked reader.
    closeSync(openSync(files.cert, 'r+'));
  }
});

test('a certificate is replaced under load without a failed request or a closed connection', async () => {
  const files = { cert: join(folder.path, 'live.pem'), key: join(folder.path, 'live-key.pem') };
  const take = (from: TestCertificate) => {
    copyFileSync(from.key, files.key);
    copyFileSync(from.cert, files.cert);
  };
  take(first);
  const log = captureLog();
  const certificate = new Certificate(files, log.logger, 10);
  const server = createHttpServer({}, certificate, (_req, res) => res.end('served'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  const url = `https://127.0.0.1:${address.port}`;
  const kept = await open(url);

  const load = new AbortController();
  let served = 0;
  const clients = [1, 2, 3, 4].map(async (client) => {
    while (!load.signal.aborted) {
      // Two of the clients open a connection for every request.
      const connections = new Agent({ connect: { ca: readFileSync(authority.cert) }, pipelining: client % 2 });
      const response = await request(url, { dispatcher: connections });
      expect(await response.body.text()).toBe('served');
      served++;
      await connections.close();
    }
  });
  for (const [index, next] of [second, first, second, first, second].entries()) {
    const before = served;
    take(next);
    const name = index % 2 === 0 ? 'second' : 'first';
    await until(async () => {
      const socket = await open(url);
      const shown = readName(socket);
      socket.destroy();
      return shown === name && served > before + 10;
    });
  }
  writeFileSync(files.key, readFileSync(first.key));
  await until(() => log.text().includes('the previous one stays in use'));
  const socket = await open(url);
  expect(readName(socket)).toBe('second');
  socket.destroy();
  load.abort();
  await Promise.all(clients);
  expect(readName(kept)).toBe('first');
  kept.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(String(await new Promise((resolve) => kept.once('data', resolve)))).toContain('200 OK');
  kept.destroy();
  const failures = log.lines.filter(({ msg }) => String(msg).includes('the previous one stays in use'));
  expect(failures.length).toBeLessThanOrEqual(6);
  certificate.close();
  server.closeAllConnections();
  // Some of the destroyed sockets were gone before the server had finished their handshake.
  endHandshakes(server);
  server.close();
});
