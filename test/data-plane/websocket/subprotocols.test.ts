/**
 * A browser cannot set a header on a WebSocket, so it offers the key among the subprotocols. These tests send the
 * offers as raw bytes, so that they can be malformed. `subprotocols.browser.test.ts` tests what Chromium sends.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateSecret } from '../../../src/domain/key-format.ts';
import { RawConnection } from '../../support/raw.ts';
import { type SubprotocolGateway, startSubprotocolGateway } from '../../support/gateway/subprotocol-gateway.ts';
import { until } from '../../support/until.ts';
import { parseSight } from '../../support/services/subprotocol-service.ts';

const FOREIGN_KEY = `old_${'k'.repeat(24)}`;
const KONG_KEY = 'K'.repeat(32);

let gateway: SubprotocolGateway;
let key: string;

beforeAll(async () => {
  gateway = await startSubprotocolGateway({
    keys: { foreign: [{ header: 'X-Old-Key', prefix: 'old_' }, { header: 'apikey' }] },
    guard: { failedAttempts: 1000 },
  });
  key = gateway.demoKey;
  const keys = [FOREIGN_KEY, KONG_KEY].map((secret) => {
    const sha256 = createHash('sha256').update(secret).digest('hex');
    return {
      name: sha256,
      owner: 'moved',
      plan: 'free',
      sha256,
      prefix: secret.slice(0, 4),
      lastFour: secret.slice(-4),
    };
  });
  const body = JSON.stringify({ random: true, keys });
  expect((await gateway.admin('/v1/keys/import', { method: 'POST', body })).status).toBe(201);
});
afterAll(() => gateway.stop());

const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

interface HandshakeResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** The subprotocols that the response selects. */
  readonly selected: readonly string[];
}

/** @param lines further header lines */
async function request(path: string, ...lines: readonly string[]): Promise<HandshakeResponse> {
  const connection = new RawConnection(gateway.url);
  connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`);
  const { status, head, body } = await connection.readResponse();
  connection.close();
  return {
    status,
    head,
    body,
    selected: [...head.matchAll(/^sec-websocket-protocol:[ ]*(.*)$/gim)].map(([, name = '']) => name.trim()),
  };
}

const shake = (path: string, ...lines: readonly string[]) => request(path, HANDSHAKE, ...lines);
const offer = (...names: readonly string[]) => `Sec-WebSocket-Protocol: ${names.join(', ')}`;
const keyOffer = (...more: readonly string[]) => offer('tollgate', `tollgate.key.${key}`, ...more);

describe.each(['/http', '/module'])('a handshake with a service at %s', (prefix) => {
  test('selects tollgate if the service selects no subprotocol, and the service sees no offer', async () => {
    const { status, head, selected } = await shake(`${prefix}/plain`, keyOffer());
    expect([status, selected]).toEqual([101, ['tollgate']]);
    expect(parseSight(head)).toMatchObject({ offered: null, lines: [], consumer: 'demo' });
    expect(decodeURIComponent(head)).not.toMatch(/tollgate\.key|tg_live_/);
  });

  test('selects the subprotocol that the service selects', async () => {
    const { status, head, selected } = await shake(`${prefix}/chat`, keyOffer('chat.v2', 'chat.v1'));
    expect([status, selected]).toEqual([101, ['chat.v2']]);
    expect(parseSight(head)).toMatchObject({
      offered: 'chat.v2, chat.v1',
      lines: ['chat.v2, chat.v1'],
      consumer: 'demo',
    });
  });

  test('can send its offers in several lines, as one list', async () => {
    const lines = [offer('chat.v1'), offer(`tollgate.key.${key}`), offer('chat.v2', 'tollgate'), offer('chat.v3')];
    const { status, head, selected } = await shake(`${prefix}/chat`, ...lines);
    expect([status, selected]).toEqual([101, ['chat.v1']]);
    const { offered, lines: seen, consumer, all } = parseSight(head);
    const kept = 'chat.v1, chat.v2, chat.v3';
    // Over HTTP, the service gets them in one line.
    expect([offered, seen.join(', '), consumer]).toEqual([kept, kept, 'demo']);
    expect(all).not.toContain(key);
  });

  test('ignores empty names and space around names', async () => {
    const { status, head, selected } = await shake(
      `${prefix}/chat`,
      `Sec-WebSocket-Protocol: ,, tollgate ,\t,chat.v1 , tollgate.key.${key}\t,`,
    );
    expect([status, selected]).toEqual([101, ['chat.v1']]);
    expect(parseSight(head)).toMatchObject({ offered: 'chat.v1', consumer: 'demo' });
  });

  test('does not select a name of the gateway that the service sends', async () => {
    const { status, selected } = await shake(`${prefix}/plain/forged`, keyOffer('chat'));
    expect([status, selected]).toEqual([101, ['tollgate']]);
  });

  test('has a response that varies by the offer if the service declines', async () => {
    const { status, head, selected } = await shake(`${prefix}/plain/declined`, keyOffer());
    expect([status, selected]).toEqual([404, []]);
    expect(head).toMatch(/^vary: X-API-Key, Authorization, X-Old-Key, apikey, Sec-WebSocket-Protocol$/im);
    expect(decodeURIComponent(head)).not.toContain('tg_live_');
  });

  test('is forwarded unchanged if it offers no names of the gateway', async () => {
    const { status, head, selected } = await shake(
      `${prefix}/plain`,
      `X-API-Key: ${key}`,
      'Sec-WebSocket-Protocol: ,a,,b',
    );
    expect([status, selected, parseSight(head).offered]).toEqual([101, [], ',a,,b']);
    expect(head).toMatch(/^vary: X-API-Key, Authorization, X-Old-Key, apikey$/im);
  });

  test('can offer tollgate with a key in a header, or to a public operation without one', async () => {
    const withHeader = await shake(`${prefix}/plain`, `X-API-Key: ${key}`, offer('tollgate'));
    expect([withHeader.status, withHeader.selected]).toEqual([101, ['tollgate']]);
    const keyless = await shake(`${prefix}/plain/public`, offer('tollgate'));
    expect([keyless.status, keyless.selected, parseSight(keyless.head).consumer]).toEqual([101, ['tollgate'], null]);
  });

  test.each([
    ['with a prefix', FOREIGN_KEY],
    ['without a prefix', KONG_KEY],
  ])('can have a key of another gateway, %s', async (_, secret) => {
    const { status, head } = await shake(`${prefix}/plain`, offer('tollgate', `tollgate.key.${secret}`));
    expect([status, parseSight(head).consumer]).toEqual([101, 'moved']);
    expect(decodeURIComponent(head)).not.toContain(secret);
  });

  test('must be a handshake: the offer of an ordinary request authenticates nothing and does not reach the service', async () => {
    const refused = await request(`${prefix}/plain`, keyOffer('chat'));
    expect([refused.status, refused.body]).toEqual([401, expect.stringContaining('key_missing')]);
    for (const name of ['Sec-WebSocket-Protocol', 'Sec_WebSocket_Protocol', 'SEC-WEBSOCKET_protocol']) {
      const line = `${name}: tollgate, tollgate.key.${key}, chat, ${key}`;
      const { status, head } = await request(`${prefix}/plain`, `X-API-Key: ${key}`, line, line);
      expect([status, parseSight(head).all.includes('chat')]).toEqual([201, true]);
      expect(decodeURIComponent(head)).not.toMatch(/tollgate\.key|tg_live_/);
    }
  });
});

describe('the response to a refused offer names the reason, but not the key, for', () => {
  const ambiguous = [400, 'key_ambiguous', /More than one API key/] as const;
  const alone = [400, 'bad_request', /tollgate\.key\.<API_KEY> was offered without tollgate/] as const;
  const unknown = [400, 'bad_request', /Offer tollgate and tollgate\.key\.<API_KEY>, in lower case/] as const;
  const invalid = [401, 'key_invalid', /not valid/] as const;
  const own = () => `tollgate.key.${key}`;

  test.each<[string, () => readonly string[], readonly [number, string, RegExp]]>([
    ['the key alone', () => [offer(own())], alone],
    ['the key with only a name of the service', () => [offer(own(), 'chat')], alone],
    ['two keys', () => [offer('tollgate', own(), `tollgate.key.${generateSecret()}`)], ambiguous],
    ['the same key twice', () => [offer('tollgate', own(), own())], ambiguous],
    ['two keys in two lines', () => [keyOffer(), offer(`tollgate.key.${generateSecret()}`)], ambiguous],
    ['another key in X-API-Key', () => [keyOffer(), `X-API-Key: ${generateSecret()}`], ambiguous],
    ['another key in Authorization', () => [keyOffer(), `Authorization: Bearer ${generateSecret()}`], ambiguous],
    ['another key in a header of another gateway', () => [keyOffer(), `X-Old-Key: ${FOREIGN_KEY}`], ambiguous],
    ['an empty key', () => [offer('tollgate', 'tollgate.key.')], unknown],
    ['no key', () => [offer('tollgate', 'tollgate.key')], unknown],
    ['capitals in the name', () => [offer('tollgate', `Tollgate.Key.${key}`)], unknown],
    ['capitals in tollgate', () => [offer('Tollgate', own())], unknown],
    ['an unknown name', () => [offer('tollgate', 'tollgate.session')], unknown],
    ['a key that does not exist', () => [offer('tollgate', `tollgate.key.${generateSecret()}`)], invalid],
    ['a key in capitals', () => [offer('tollgate', `tollgate.key.${key.toUpperCase()}`)], invalid],
    ['a truncated key', () => [offer('tollgate', own().slice(0, -1))], invalid],
    ['a key that is too long', () => [offer('tollgate', `tollgate.key.${'x'.repeat(10_000)}`)], invalid],
    ['a quoted key', () => [offer('tollgate', `tollgate.key."${key}"`)], invalid],
    ['a space in the key', () => [offer('tollgate', `tollgate.key.${key} x`)], invalid],
    ['bytes that are not ASCII', () => [offer('tollgate', `tollgate.key.\xe9\xff${key}`)], invalid],
  ])('%s', async (_, lines, [status, code, message]) => {
    for (const path of ['/http/plain', '/module/plain/public']) {
      const response = await shake(path, ...lines());
      expect([response.status, JSON.parse(response.body)]).toEqual([
        status,
        expect.objectContaining({ code, message: expect.stringMatching(message) }),
      ]);
      expect([response.selected, response.head + response.body]).toEqual([
        [],
        expect.not.stringContaining(key.slice(8)),
      ]);
    }
  });
});

test('the same key in a header is not ambiguous', async () => {
  expect((await shake('/http/plain', keyOffer(), `X-API-Key: ${key}`)).status).toBe(101);
});

test('an offer larger than the limit of headers is refused like any header', async () => {
  expect((await shake('/http/plain', offer('tollgate', `tollgate.key.${'x'.repeat(17_000)}`))).status).toBe(431);
});

test('a service gets all of 1,500 offered names', async () => {
  const names = Array.from({ length: 3000 }, (_, index) => `a${index}`);
  const { status, head } = await shake('/module/chat', keyOffer(...names.slice(0, 1500)));
  expect([status, parseSight(head).lines[0]?.split(', ').length]).toEqual([101, 1500]);
});

test('no part of a key is in the log or in any file of the gateway', async () => {
  expect((await shake('/http/plain', keyOffer())).status).toBe(101);
  expect((await shake('/http/nowhere', keyOffer())).status).toBe(404);
  expect((await shake('/http/plain', keyOffer(`Tollgate.Key.${key}`))).status).toBe(400);
  // The history has been written.
  await until(async () => {
    const { series } = (await (await gateway.admin('/v1/usage?by=operation')).json()) as { series: object[] };
    return JSON.stringify(series).includes('http.plain');
  });
  const secret = key.slice(12, -4);
  expect(gateway.logs.join('\n')).not.toContain(secret);
  const files = readdirSync(gateway.dataDir, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  expect(files.map(({ name }) => name)).toContain('history.db');
  for (const { parentPath, name } of files) {
    expect([name, readFileSync(join(parentPath, name)).includes(secret)]).toEqual([name, false]);
  }
});
