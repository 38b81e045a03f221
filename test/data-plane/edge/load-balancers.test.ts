/**
 * The gateway behind the load balancers of docs/operators/scaling.md, configured as shown there, except for ports, files
 * and addresses. Both run on the machine of the gateway, so that the caller has the same address as the load balancer:
 * the gateway once ignored X-Forwarded-Proto in that case.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, request, WebSocket } from 'undici';
import { readDocument } from '../../support/documents.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { TestAuthority, type TestCertificate } from '../../support/servers/certificates.ts';
import { startHaproxy } from '../../support/servers/haproxy.ts';
import { startNginx } from '../../support/servers/nginx.ts';
import type { ProxyProcess } from '../../support/servers/proxy-process.ts';
import type { HttpService } from '../../support/services/http-service.ts';
import { serveHttp } from '../../support/services/http-service.ts';
import { createService } from '../../support/services/contract-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let service: HttpService;
let gateway: TestGateway;
let authority: TestAuthority;
let certificate: TestCertificate;
let agent: Agent;
/** Browsers, too, open WebSockets over HTTP/1.1. */
let webSocketAgent: Agent;

beforeAll(async () => {
  authority = new TestAuthority(temporaryDirectory());
  certificate = authority.issue('api');
  const ca = readFileSync(authority.cert);
  agent = new Agent({ connect: { ca } });
  webSocketAgent = new Agent({ connect: { ca }, allowH2: false });
  const { handler, upgrade } = createService();
  service = await serveHttp(handler);
  service.server.on('upgrade', upgrade);
  gateway = await startGatewayWithUpstreams([contractTarget(service.url)], { trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
  await Promise.all([agent.close(), webSocketAgent.destroy()]);
  await gateway.stop();
  await service.close();
});

/** @returns the documented example in this language, with other ports, files and addresses */
function example(language: string, replaced: Readonly<Record<string, string>>): string {
  const [, text = ''] =
    new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(readDocument('docs/operators/scaling.md')) ?? [];
  return Object.entries(replaced).reduce((changed, [shown, used]) => {
    expect(changed).toContain(shown);
    return changed.replaceAll(shown, used);
  }, text);
}

const parsePort = (url: string) => new URL(url).port;

const startNginxOfDocument = () =>
  startNginx((port) =>
    example('nginx', {
      'listen 443': `listen 127.0.0.1:${port}`,
      '/etc/nginx/api.pem': certificate.cert,
      '/etc/nginx/api.key': certificate.key,
      '10.0.0.11:8080': `127.0.0.1:${parsePort(gateway.url)}`,
      '10.0.0.12:8080': `127.0.0.1:${parsePort(gateway.url)}`,
    }),
  );

const startHaproxyOfDocument = () =>
  startHaproxy((port, folder) => {
    const pem = join(folder, 'api.pem');
    writeFileSync(pem, readFileSync(certificate.cert, 'utf8') + readFileSync(certificate.key, 'utf8'));
    return example('haproxy', {
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/api.pem': pem,
      'check port 8081': `check port ${parsePort(gateway.adminUrl)}`,
      // Gateway and test share a process, which may be too busy to answer within a second.
      'inter 1s fall 2': 'inter 10s fall 10',
      '10.0.0.11:8080': `127.0.0.1:${parsePort(gateway.url)}`,
      '10.0.0.12:8080': `127.0.0.1:${parsePort(gateway.url)}`,
    });
  });

describe.each([
  ['nginx', startNginxOfDocument],
  ['HAProxy', startHaproxyOfDocument],
])('behind %s on the same machine', (_, start) => {
  let proxy: ProxyProcess;
  let url: string;
  beforeAll(async () => {
    proxy = await start();
    url = proxy.url.replace('http://127.0.0.1', 'https://localhost');
  });
  afterAll(() => proxy.stop());

  test('a service sees the real scheme, host and address of the consumer, not those that the consumer claims', async () => {
    const claims = {
      'X-Forwarded-For': '198.51.100.1',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'for=198.51.100.1;proto=http;host=evil.example',
    };
    const headers = { ...claims, 'X-API-Key': gateway.demoKey };
    const response = await request(`${url}/echo`, { dispatcher: agent, headers });
    expect(response.statusCode).toBe(200);
    const seen = (await response.body.json()) as { headers: Record<string, string> };
    expect(seen.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': new URL(url).host,
    });
    expect(JSON.stringify(seen)).not.toMatch(/198\.51\.100\.1|evil/);
  });

  test('a WebSocket reaches the service', async () => {
    const socket = new WebSocket(`${url.replace('https', 'wss')}/echo`, {
      headers: { 'X-API-Key': gateway.demoKey },
      dispatcher: webSocketAgent,
    });
    const echoed = await new Promise((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('the handshake failed')));
      socket.addEventListener('open', () => socket.send('ping'));
      socket.addEventListener('message', ({ data }) => resolve(data));
    });
    expect(echoed).toBe('ping');
    socket.close();
  });
});

describe('the gateway believes what a trusted proxy reports about a request', () => {
  test.each([
    ['without X-Forwarded-For', {}, '127.0.0.1'],
    ['with an empty X-Forwarded-For', { 'X-Forwarded-For': '' }, '127.0.0.1'],
    ['with its own address', { 'X-Forwarded-For': '127.0.0.1' }, '127.0.0.1, 127.0.0.1'],
    ['with the address of a consumer', { 'X-Forwarded-For': '203.0.113.9:51234' }, '203.0.113.9:51234, 127.0.0.1'],
    ['with no address', { 'X-Forwarded-For': 'unknown' }, 'unknown, 127.0.0.1'],
  ])('%s', async (_, chain, expected) => {
    const headers = { ...chain, 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'api.example.com' };
    const seen = (await (await gateway.call('/echo', { headers })).json()) as { headers: Record<string, string> };
    expect(seen.headers).toMatchObject({
      'x-forwarded-for': expected,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.example.com',
    });
  });

  test('and uses what it sees itself where the proxy reports nothing', async () => {
    const seen = (await (await gateway.call('/echo')).json()) as { headers: Record<string, string> };
    expect(seen.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(gateway.url).host,
    });
  });
});

test('forwarding headers from other callers are ignored', async () => {
  const direct = await startGatewayWithUpstreams([contractTarget(service.url)], { trustedProxies: ['10.0.0.0/8'] });
  try {
    const headers = {
      'X-Forwarded-For': '203.0.113.9, 10.0.0.1',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'evil',
    };
    const seen = (await (await direct.call('/echo', { headers })).json()) as { headers: Record<string, string> };
    expect(seen.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(direct.url).host,
    });
  } finally {
    await direct.stop();
  }
});
