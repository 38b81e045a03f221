/**
 * WebSockets and event streams are closed when the access token that opened them expires (by the gateway's clock) or is
 * no longer accepted.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { contractDocument } from '../../support/gateway/gateway-with-upstreams.ts';
import { root } from '../../support/gateway/gateway.ts';
import { createPlans, type ReloadingGateway, startReloadingGateway } from '../../support/gateway/reloading-gateway.ts';
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
const otherKey = createIssuerKey('ES256', 'other');

let now = Date.now();
let service: HttpService;
let issuer: TokenIssuerServer;
let upstreams: object[];
let gateway: ReloadingGateway;
beforeAll(async () => {
  const { handler, upgrade } = createService();
  service = await serveHttp(handler);
  service.server.on('upgrade', upgrade);
  issuer = await startTokenIssuer([key.jwk]);
  const module = join(root, 'test/support/services/contract-service.ts');
  const common = (name: string) => ({ name, openapi: contractDocument, prefix: `/${name}`, idPrefix: `${name}.` });
  upstreams = [
    { ...common('module'), module },
    { ...common('http'), targets: [service.url] },
  ];
  gateway = await startReloadingGateway((write) => {
    write('plans.yaml', createPlans({ minute: 1000, day: 10_000 }));
    return { clock: () => now, settings: { upstreams, tokens: [corp()] } };
  });
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
  await service.close();
});

const corp = (more: object = {}) => ({ name: 'corp', issuer: issuer.url, audience: [AUDIENCE], ...more });

async function reload(tokens: readonly object[]): Promise<void> {
  gateway.configure({ upstreams, tokens });
  const { status, body } = await gateway.reload();
  expect([status, status === 200 ? null : body]).toEqual([200, null]);
}

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
  /** Waits for the end of the connection. @returns what was received */
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

/** Opens a connection of each kind, to a module and to a service over HTTP. */
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

test('connections opened within the tolerance after the expiry end when the token is no longer accepted', async () => {
  const all = await openAll(authorize(-30));
  now += 29_000;
  await goOn(all);
  expectOpen(all);
  now += 1000;
  await expectEnds(all);
});

test('connections with a token and a key end with the token, because both must be valid', async () => {
  const all = await openAll(authorize(300), `X-API-Key: ${gateway.demoKey}`);
  now += 300_000;
  await expectEnds(all);
});

test('connections with only a key, or with a token that outlasts the longest timer, do not end', async () => {
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

describe('after a reload', () => {
  afterEach(() => reload([corp()]));

  test('connections stay open while their token is accepted', async () => {
    const all = await openAll(authorize(300));
    await reload([corp({ audience: ['https://other.example.com', AUDIENCE], forward: false })]);
    await reload([corp({ name: 'renamed', register: false, jwksUri: `${issuer.url}/jwks` })]);
    for (let round = 0; round < 3; round++) await goOn(all);
    expectOpen(all);
  });

  test.each<[string, () => object[]]>([
    ['the audience is removed', () => [corp({ audience: ['https://other.example.com'] })]],
    ['the issuer is replaced', () => [corp({ issuer: 'http://127.0.0.1:9' })]],
    ['no tokens are accepted', () => []],
    ['the algorithm is removed', () => [corp({ algorithms: ['RS256'] })]],
    ['another claim names the caller', () => [corp({ caller: ['sub'] })]],
    ['the keys are elsewhere, and others', () => [corp({ jwksUri: `${issuer.url}/other-keys` })]],
  ])('connections end if %s, but connections with a key stay open', async (_, tokens) => {
    issuer.others = { '/other-keys': [otherKey.jwk] };
    const withKey = await openAll(`X-API-Key: ${gateway.demoKey}`);
    const all = await openAll(authorize(3000));
    await reload(tokens());
    await expectEnds(all);
    expectOpen(withKey);
  });
});

test('connections end when the issuer withdraws the key of their token', async () => {
  const all = await openAll(authorize(3000));
  issuer.keys = [otherKey.jwk];
  now += 600_000;
  await expectEnds(all);
  issuer.keys = [key.jwk];
});
