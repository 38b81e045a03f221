/**
 * The attack: a page opens a URL of the API, and the service responds with a portal cookie that contains the attacker's
 * session. The portal and the console are on the same host as the API, and cookies are not isolated by port.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { contractTarget } from '../support/gateway/gateway-with-upstreams.ts';
import { type HttpService, serveHttp } from '../support/services/http-service.ts';
import { computeAccept, echoFrames } from '../support/websocket.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

let service: HttpService;
let portal: PortalUnderTest;
let context: BrowserContext;
/** The cookies that the service sets. */
let cookies: string[] = [];

beforeAll(async () => {
  service = await serveHttp((_req: IncomingMessage, res: ServerResponse) => {
    // The body is a buffer, because with a string, Node would write the head as UTF-8.
    res.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': cookies }).end(Buffer.from('Hello'));
  });
  service.server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    lines.push(`Sec-WebSocket-Accept: ${computeAccept(req)}`, ...cookies.map((cookie) => `Set-Cookie: ${cookie}`));
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    echoFrames(socket, head);
  });
  portal = await startPortalPages({ settings: { upstreams: [contractTarget(service.url)] } });
});
afterAll(async () => {
  await portal.stop();
  await service.close();
});

/** Lists spellings that a browser may mistake for the name of the session cookie. */
function spellings(cookie: string): string[] {
  const [name = '', secret = ''] = cookie.split('=');
  const names = [name, ` ${name}`, `${name}\t`, `\u00a0${name}`, `=${name}`, name.toUpperCase(), `__Host-${name}`];
  return names.map((one) => `${one}=${secret}; Path=/`);
}

const WAYS = {
  'a response': (url: string) => `fetch('${url}').then(() => undefined)`,
  'a WebSocket': (url: string) =>
    `new Promise((resolve) => { new WebSocket('${url.replace('http', 'ws')}').onopen = () => resolve() })`,
};

test.each(Object.entries(WAYS))('a service cannot sign anyone in with cookies in %s', async (name, call) => {
  const attacker = await portal.signInAs(await portal.account(`attacker-${name}`));
  const token = await fetch(`${portal.gateway.adminUrl}/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: portal.gateway.adminToken }),
  });
  const [consoleCookie = ''] = token.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  cookies = [...spellings(attacker.cookie), ...spellings(consoleCookie), 'theme=dark; Path=/'];

  context = await portal.chromium.newContext();
  const page = await context.newPage();
  // The page must be on the service's origin, because the browser would drop cookies from other origins.
  await page.goto(`${portal.gateway.url}/public`);
  await context.clearCookies();
  await page.evaluate(call(`${portal.gateway.url}/public`));
  expect((await context.cookies()).map((one) => one.name)).toEqual(['theme']);

  await page.goto(portal.gateway.portalUrl);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate<number>("fetch('api/session').then(({ status }) => status)")).toBe(401);
  await page.goto(`${portal.gateway.adminUrl}/console/`);
  await page.getByLabel('Admin token').waitFor();
  expect(await page.evaluate<number>("fetch('../v1/session').then(({ status }) => status)")).toBe(401);
  await context.close();
});
