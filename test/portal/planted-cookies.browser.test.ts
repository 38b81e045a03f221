/**
 * The attack: a page on a sibling host sets a cookie with the attacker's session for all hosts of the domain
 * (`Domain`). A victim who then opens the portal over HTTPS would unknowingly be signed in as the attacker, and create
 * keys and webhooks that the attacker can use. In these tests, sibling hosts are `*.app.localhost`.
 */
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:https';
import { request as plainRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { TestAuthority, type TestCertificate } from '../support/servers/certificates.ts';
import { freePort } from '../support/servers/nginx.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

const SITE = 'app.localhost';

let certificate: TestCertificate;
let evil: Server;
/** The cookies that the attacker's page sets. */
let planted: string[] = [];
beforeAll(async () => {
  certificate = new TestAuthority(temporaryDirectory()).issue('sites');
  evil = createServer(pem(), (_req, res) => void res.writeHead(200, { 'Set-Cookie': planted }).end('Hello'));
  await listenOn(evil, 0);
});
afterAll(() => {
  evil.closeAllConnections();
  evil.close();
});

function pem() {
  return { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) };
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));
}

function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/**
 * Signs in like a program, which can send any headers.
 *
 * @returns the cookies that the portal sets
 */
function signInWithHeaders(url: string, body: object, headers: Record<string, string>): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const to = { hostname, port, path: '/api/session', method: 'POST', rejectUnauthorized: false };
    const sent = request({ ...to, headers: { 'Content-Type': 'application/json', ...headers } }, (response) => {
      response.resume();
      resolve((response.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? ''));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/**
 * Lists names under which the attacker's cookie could be mistaken for the portal's. Chromium treats a no-break space
 * (byte A0) as a part of the name, which then does not begin with `__Host-`, and sends it back.
 */
function spellings(cookie: string): string[] {
  const plain = cookie.replace(/^__Host-/, '');
  const names = [plain, cookie, `__Secure-${plain}`, `__host-${plain}`, `__Host-${plain}`, ` ${cookie}`, `=${plain}`];
  return [...names, `=${cookie}`, `\u00a0${cookie}`, `\u00a0${plain}`];
}

async function expectNotSignedIn(context: BrowserContext, portal: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`https://evil.${SITE}:${getPort(evil)}/`);
  await page.goto(portal);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate<number>("fetch('api/session').then(({ status }) => status)")).toBe(401);
  await page.close();
}

async function plant(portal: PortalUnderTest, url: string, attacker: string): Promise<void> {
  const headerSets = [
    {},
    { Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'http://localhost' },
    { 'Sec-Fetch-Site': 'same-origin' },
  ];
  const issued: string[] = [];
  for (const headers of headerSets) {
    issued.push(...(await signInWithHeaders(url, { token: await portal.link(attacker) }, headers)));
  }
  expect(issued).not.toEqual([]);
  planted = issued.flatMap(spellings).map((cookie) => `${cookie}; Domain=${SITE}; Path=/; Secure; SameSite=Lax`);
}

async function expectSignInWorks(context: BrowserContext, portal: PortalUnderTest, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}#token=${await portal.link(await portal.account('victim', { name: 'Victim' }))}`);
  await page.getByRole('button', { name: 'Sign in as Victim' }).click();
  await page.getByText('Create your first key').waitFor();
  const session = await page.evaluate<{ account: { owner: string } }>("fetch('api/session').then((r) => r.json())");
  expect(session.account.owner).toBe('victim');
  const own = (await context.cookies(url)).filter(({ domain }) => domain === `portal.${SITE}`);
  expect(own).toMatchObject([{ name: '__Host-tollgate-portal', secure: true, httpOnly: true, sameSite: 'Strict' }]);
  // The session can make changes.
  expect(
    await page.evaluate<number>(
      `fetch('api/keys', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Mine"}' })
        .then(({ status }) => status)`,
    ),
  ).toBe(201);
  await page.close();
}

describe('a portal with its own TLS', () => {
  let portal: PortalUnderTest;
  let context: BrowserContext;
  let url: string;
  beforeAll(async () => {
    portal = await startPortalPages({ settings: { portal: { tls: certificate } } });
    url = `https://portal.${SITE}:${new URL(portal.gateway.portalUrl).port}/`;
    context = await portal.chromium.newContext({ ignoreHTTPSErrors: true });
  });
  afterAll(async () => {
    await context.close();
    await portal.stop();
  });

  test('does not sign in with a cookie planted by a sibling host', async () => {
    await plant(portal, portal.gateway.portalUrl, await portal.account('attacker'));
    await expectNotSignedIn(context, url);
  });

  test('lets users sign in to their own session despite the planted cookie', async () => {
    await expectSignInWorks(context, portal, url);
  });
});

describe('a portal behind a proxy that terminates TLS', () => {
  let portal: PortalUnderTest;
  let context: BrowserContext;
  let proxy: Server;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `https://portal.${SITE}:${port}/`;
    portal = await startPortalPages({ settings: { portal: { url } } });
    proxy = createServer(pem(), (req, res) => {
      const to = { method: req.method, headers: { ...req.headers, host: 'portal.internal' } };
      const call = plainRequest(`${portal.gateway.portalUrl}${req.url}`, to as object, (response) => {
        res.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(res);
      });
      call.on('error', () => res.destroy());
      req.pipe(call);
    });
    await listenOn(proxy, port);
    context = await portal.chromium.newContext({ ignoreHTTPSErrors: true });
  });
  afterAll(async () => {
    await context.close();
    proxy.closeAllConnections();
    proxy.close();
    await portal.stop();
  });

  test('does not sign in with a cookie planted by a sibling host', async () => {
    await plant(portal, `https://127.0.0.1:${new URL(url).port}/`, await portal.account('attacker'));
    await expectNotSignedIn(context, url);
  });

  test('lets users sign in to their own session despite the planted cookie', async () => {
    await expectSignInWorks(context, portal, url);
  });

  // A page is at a loopback address if, for example, it is opened through an SSH tunnel that bypasses the proxy.
  test('lets users sign in at a loopback address as well', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const tunnel = await portal.chromium.newContext();
      const page = await tunnel.newPage();
      const id = await portal.account(`tunnel-${host}`, { name: 'Tunnel' });
      const { port } = new URL(portal.gateway.portalUrl);
      await page.goto(`http://${host}:${port}/#token=${await portal.link(id)}`);
      await page.getByRole('button', { name: 'Sign in as Tunnel' }).click();
      await page.getByText('Create your first key').waitFor();
      expect(await page.evaluate<number>("fetch('api/session').then(({ status }) => status)")).toBe(200);
      await tunnel.close();
    }
  });
});
