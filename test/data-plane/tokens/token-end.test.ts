/** WebSockets and event streams end when the access token with which they began expires, on the clock of the gateway. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { contractDocument } from '../../support/gateway/gateway-with-upstreams.ts';
import { root, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { RawConnection } from '../../support/raw.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { createService } from '../../support/services/contract-service.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');

let now = Date.now();
let service: HttpService;
let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  const { handler, upgrade } = createService();
  service = await serveHttp(handler);
  service.server.on('upgrade', upgrade);
  issuer = await startTokenIssuer([key.jwk]);
  const module = join(root, 'test/support/services/contract-service.ts');
  const common = (name: string) => ({ name, openapi: contractDocument, prefix: `/${name}`, idPrefix: `${name}.` });
  gateway = await startTestGateway({
    clock: () => now,
    settings: {
      upstreams: [
        { ...common('module'), module },
        { ...common('http'), targets: [service.url] },
      ],
      tokens: [{ name: 'corp', issuer: issuer.url, audience: [AUDIENCE] }],
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
  await service.close();
});

let open: RawConnection[] = [];
beforeEach(() => {
  now = Math.ceil(Date.now() / 1000) * 1000;
});
afterEach(() => {
  for (const connection of open) connection.close();
  open = [];
});

/** @param lastsS when the token expires, in seconds from now */
function authorize(lastsS: number): string {
  const claims = { iss: issuer.url, aud: AUDIENCE, azp: 'app', exp: now / 1000 + lastsS };
  return `Authorization: Bearer ${signToken(key, { alg: key.alg, kid: 'one' }, claims)}`;
}

function send(path: string, lines: readonly string[]): RawConnection {
  const connection = new RawConnection(gateway.url);
  open.push(connection);
  return connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`);
}

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
/** A ping without a payload, and the response of the service to it. */
const PING = '\x89\x80\x00\x00\x00\x00';
const PONG = '\x89\x00';
const LAST_CHUNK = /\r\n0\r\n\r\n$/;
/** A close frame of the server with code 1008, and nothing after it. */
// oxlint-disable-next-line no-control-regex -- frames have such characters
const CLOSED = /\x88\x02\x03\xf0$/;

interface Connection {
  /** The kind of connection, for messages of failed assertions. */
  readonly name: string;
  readonly connection: RawConnection;
  /** Waits, for longer than the time between two checks, until more data of the service has arrived. */
  readonly goOn: () => Promise<void>;
  /** Matches the proper end of a connection in this protocol. */
  readonly ending: RegExp;
  /** Waits for the end. @returns what was received */
  readonly end: () => Promise<string>;
}

async function openStream(prefix: string, ...lines: readonly string[]): Promise<Connection> {
  const connection = send(`${prefix}/events`, ['Connection: close', ...lines]);
  expect(await connection.until(/tick/)).toMatch(/^HTTP\/1\.1 200 /);
  return {
    name: `event stream of ${prefix}`,
    connection,
    async goOn() {
      const { length } = connection.received;
      while (!connection.ended && connection.received.length < length + 30 * 'c\r\ndata: tick\n\n\r\n'.length)
        await pause();
    },
    ending: LAST_CHUNK,
    end: () => connection.until(LAST_CHUNK),
  };
}

async function openWebSocket(prefix: string, ...lines: readonly string[]): Promise<Connection> {
  const connection = send(`${prefix}/echo`, [...UPGRADE, ...lines]);
  expect(await connection.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 101 /);
  return {
    name: `WebSocket of ${prefix}`,
    connection,
    async goOn() {
      for (let count = 0; count < 30 && !connection.ended; count++) {
        const { length } = connection.received;
        connection.send(PING);
        while (!connection.ended && connection.received.length < length + PONG.length) await pause();
      }
    },
    ending: CLOSED,
    end: () => connection.until(CLOSED),
  };
}

/** One of each kind, with a module and with a service over HTTP. */
function openAll(...lines: readonly string[]): Promise<Connection[]> {
  return Promise.all(
    ['/module', '/http'].flatMap((prefix) => [openStream(prefix, ...lines), openWebSocket(prefix, ...lines)]),
  );
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
const goOn = (all: readonly Connection[]) => Promise.all(all.map((one) => one.goOn()));

async function expectEnds(all: readonly Connection[]): Promise<void> {
  const ends = await Promise.all(all.map(async ({ name, end, ending }) => [name, ending.test(await end())]));
  expect(ends).toEqual(all.map(({ name }) => [name, true]));
}

function expectOpen(all: readonly Connection[]): void {
  expect(all.filter(({ connection: { ended } }) => ended).map(({ name }) => name)).toEqual([]);
}

test('WebSockets and event streams end when their token expires, and not before', async () => {
  const all = await openAll(authorize(300));
  now += 299_000;
  await goOn(all);
  expectOpen(all);
  now += 1000;
  await expectEnds(all);
});

test('connections that begin after their token expired end when it is no longer accepted', async () => {
  const all = await openAll(authorize(-30));
  now += 29_000;
  await goOn(all);
  expectOpen(all);
  now += 1000;
  await expectEnds(all);
});

test('connections with a key as well end with their token, because it must be valid too', async () => {
  const all = await openAll(authorize(300), `X-API-Key: ${gateway.demoKey}`);
  now += 300_000;
  await expectEnds(all);
});

test('connections with only a key do not end, nor do those with a token that outlasts the longest timer', async () => {
  const lasting = (
    await Promise.all([
      openAll(`X-API-Key: ${gateway.demoKey}`),
      openAll(authorize(40 * 86_400)),
      openAll(authorize(1e300)),
    ])
  ).flat();
  const all = await openAll(authorize(300));
  now += 300_000;
  await expectEnds(all);
  await goOn(lasting);
  expectOpen(lasting);
});

test('a WebSocket receives nothing after the close frame, and its connection is closed', async () => {
  const { connection } = await openWebSocket('/module', authorize(300));
  now += 300_000;
  await connection.until(CLOSED);
  connection.send(PING);
  expect(await connection.closed()).toMatch(CLOSED);
});
