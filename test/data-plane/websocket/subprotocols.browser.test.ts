/** In Chromium, scripts on another origin open WebSockets with a key or token, and read headers of services. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { splitSections } from '../../../web/portal/markdown/sections.ts';
import { connectToBrowser } from '../../support/browser/browser-page.ts';
import { readDocument } from '../../support/documents.ts';
import { type SubprotocolGateway, startSubprotocolGateway } from '../../support/gateway/subprotocol-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';
import { parseSight } from '../../support/services/subprotocol-service.ts';
import { until } from '../../support/until.ts';

const issuerKey = createIssuerKey('ES256', 'one');

let pages: HttpService;
let issuer: TokenIssuerServer;
let gateway: SubprotocolGateway;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  pages = await serveHttp((_, res) =>
    res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Another origin</h1>'),
  );
  issuer = await startTokenIssuer([issuerKey.jwk]);
  gateway = await startSubprotocolGateway({
    cors: { origins: [pages.url], expose: ['ETag', 'location'] },
    tokens: [{ name: 'corp', issuer: issuer.url, audience: ['api'] }],
  });
  browser = await connectToBrowser();
  page = await browser.newPage();
  await page.goto(pages.url);
});
afterAll(async () => {
  await page.close();
  await browser.close();
  await gateway.stop();
  issuer.stop();
  await pages.close();
});

interface Outcome {
  readonly protocol: string;
  readonly echo: string | null;
  readonly code: number | null;
}

/** Opens a WebSocket in the page, and sends a message. */
function open(path: string, protocols: readonly string[]): Promise<Outcome> {
  const url = gateway.url.replace('http', 'ws') + path;
  return page.evaluate<Outcome>(`new Promise((resolve) => {
    const socket = new WebSocket(${JSON.stringify(url)}, ${JSON.stringify(protocols)});
    const end = (echo, code) => resolve({ protocol: socket.protocol, echo, code });
    socket.onopen = () => socket.send('hello');
    socket.onmessage = ({ data }) => { end(data, null); socket.close(); };
    socket.onclose = ({ code }) => end(null, code);
  })`);
}

/** @param lastsS when the token expires, in seconds from now */
function createToken(lastsS: number): string {
  const exp = Math.floor(Date.now() / 1000) + lastsS;
  return signToken(issuerKey, { alg: issuerKey.alg, kid: 'one' }, { iss: issuer.url, aud: 'api', azp: 'app', exp });
}

const keyOffer = (key = gateway.demoKey) => ['tollgate', `tollgate.key.${key}`];

describe.each(['/http', '/module'])('a page opens a WebSocket with a service at %s', (prefix) => {
  test('that selects no subprotocol', async () => {
    expect(await open(`${prefix}/plain`, keyOffer())).toEqual({ protocol: 'tollgate', echo: 'hello', code: null });
  });

  test('that selects its own subprotocol', async () => {
    const offer = [...keyOffer(), 'chat.v2', 'chat.v1'];
    expect(await open(`${prefix}/chat`, offer)).toEqual({ protocol: 'chat.v2', echo: 'hello', code: null });
  });

  test('with an access token', async () => {
    const offer = ['tollgate', `tollgate.token.${createToken(300)}`];
    expect(await open(`${prefix}/plain`, offer)).toEqual({ protocol: 'tollgate', echo: 'hello', code: null });
    expect(await open(`${prefix}/chat`, [...offer, 'chat.v2'])).toMatchObject({ protocol: 'chat.v2', echo: 'hello' });
    const expired = ['tollgate', `tollgate.token.${createToken(-300)}`];
    expect(await open(`${prefix}/plain`, expired)).toEqual({ protocol: '', echo: null, code: 1006 });
  });

  test('whose connection is closed with code 1008 when its token expires', async () => {
    const url = `${gateway.url.replace('http', 'ws')}${prefix}/plain`;
    const offer = ['tollgate', `tollgate.token.${createToken(3)}`];
    const code = await page.evaluate<number>(`new Promise((resolve) => {
      const socket = new WebSocket(${JSON.stringify(url)}, ${JSON.stringify(offer)});
      socket.onclose = ({ code }) => resolve(code);
    })`);
    expect(code).toBe(1008);
  });

  test('but not with an unknown key, without a key, or with the key alone', async () => {
    const refused = { protocol: '', echo: null, code: 1006 };
    for (const offer of [keyOffer(`${gateway.demoKey.slice(0, -1)}!`), ['tollgate'], keyOffer().slice(1)]) {
      expect(await open(`${prefix}/plain`, offer)).toEqual(refused);
    }
    const reasons = gateway
      .responses()
      .slice(-3)
      .map(({ reason }: { reason?: string }) => reason);
    expect(reasons).toEqual(['key_invalid', 'key_missing', 'bad_request']);
  });

  test('and can read the headers that the gateway and the service expose', async () => {
    const read = (query: string) =>
      page.evaluate<Record<string, string>>(
        `fetch('${gateway.url}${prefix}/plain${query}', { headers: { 'X-API-Key': '${gateway.demoKey}' } })
          .then(({ headers }) => Object.fromEntries(headers))`,
      );
    const headers = await read('');
    expect(headers).toMatchObject({ etag: '"1"', location: '/plain/1', 'x-ratelimit-limit': '1000000' });
    expect(headers).not.toHaveProperty('x-total');
    expect(await read('?expose=X-Total&expose=x-seen')).toMatchObject({ etag: '"1"', 'x-total': '7' });
    // If one name were invalid, a browser would ignore all others.
    expect(await read('?expose=X-Total,%20%22a%22')).toMatchObject({ etag: '"1"', 'x-total': '7' });
    const all = await read('?expose=*');
    expect(parseSight(`X-Seen: ${all['x-seen']}`)).toMatchObject({ consumer: 'demo' });
  });
});

test.each([
  ['with a key', (example: string) => example, () => gateway.demoKey],
  ['with a token', (example: string) => example.replace('tollgate.key.', 'tollgate.token.'), () => createToken(300)],
])('the WebSocket example for consumers works %s', async (_, change, readSecret) => {
  const [, example = ''] =
    /```js\n([\s\S]*?)```/.exec(splitSections(readDocument('docs/consumers.md')).get('Authentication') ?? '') ?? [];
  expect(example).toContain('tollgate.key.');
  const lines: string[] = [];
  page.on('console', (message) => void lines.push(message.text()));
  page.once('dialog', (dialog) => void dialog.accept(readSecret()));
  const url = `${gateway.url.replace('http', 'ws')}/http/plain`;
  await page.evaluate(`{${change(example).replace('ws://127.0.0.1:8080/pets', url)}}`);
  await until(() => lines.length > 0);
  expect(lines).toEqual(['hello']);
});

test('no part of a key is in the log or in any file of the gateway', () => {
  const secret = gateway.demoKey.slice(12, -4);
  expect(gateway.logs.join('\n')).not.toContain(secret);
  for (const { parentPath, name } of readdirSync(gateway.dataDir, { recursive: true, withFileTypes: true })) {
    if (/\.db(?:-wal)?$/.test(name)) expect(readFileSync(join(parentPath, name)).includes(secret)).toBe(false);
  }
});
