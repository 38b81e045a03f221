/**
 * The attack: over HTTPS, a page on a sibling host (evil.example.com) sets a cookie for `example.com` with a session of
 * the attacker. Everyone who then opens the console or the portal works in that session. Browsers reject such a cookie
 * only if its name begins with `__Host-`, so over HTTPS the gateway must not issue or accept another name. Request
 * headers (`Origin`, `Sec-Fetch-Site`) must not change that, because a program can send any value.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';
import { isGatewayCookie } from '../../../src/http/headers.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { TestAuthority } from '../../support/servers/certificates.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const SIBLING = 'http://localhost';
const secret = 'x'.repeat(43);
let authority: TestAuthority;
let agent: Agent;
let owners = 0;
beforeAll(() => {
  authority = new TestAuthority(temporaryDirectory());
  agent = new Agent({ connect: { ca: readFileSync(authority.cert) } });
});
afterAll(() => agent.close());

interface ReceivedResponse {
  readonly status: number;
  readonly cookies: readonly string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
  readonly body: any;
}

async function send(method: 'GET' | 'POST' | 'DELETE', url: string, headers: Record<string, string>, json?: object) {
  const response = await request(url, {
    method,
    dispatcher: agent,
    headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: json === undefined ? null : JSON.stringify(json),
  });
  const text = await response.body.text();
  const cookies = [response.headers['set-cookie'] ?? []].flat();
  return {
    status: response.statusCode,
    cookies,
    body: text === '' ? null : JSON.parse(text),
  } satisfies ReceivedResponse;
}

interface Listener {
  readonly cookie: string;
  readonly url: string;
  /** The URL of the session resource. */
  readonly session: string;
  /** Creates the body of a sign-in request. A sign-in link works only once, so the portal needs a new one each time. */
  readonly credentials: () => Promise<object>;
}

function listListeners(gateway: TestGateway): Listener[] {
  const admin = { Authorization: `Bearer ${gateway.adminToken}` };
  const { adminUrl, portalUrl } = gateway;
  return [
    {
      cookie: 'tollgate-console',
      url: adminUrl,
      session: `${adminUrl}/v1/session`,
      credentials: async () => ({ token: gateway.adminToken }),
    },
    {
      cookie: 'tollgate-portal',
      url: portalUrl,
      session: `${portalUrl}/api/session`,
      async credentials() {
        const owner = `owner-${++owners}`;
        const account = { owner, name: owner, email: null, plan: 'free' };
        const { body } = await send('POST', `${adminUrl}/v1/accounts`, admin, account);
        const link = await send('POST', `${adminUrl}/v1/accounts/${body.id}/sign-in-link`, admin, {});
        return { token: link.body.url.split('#token=')[1] };
      },
    },
  ];
}

function named(cookies: readonly string[]): string[] {
  return cookies.map((line) => line.split('=', 1)[0] ?? '');
}

/** Declares the tests for listeners that people reach over HTTPS. `listeners` differ in how the gateway knows that. */
function overHttps(listeners: () => Listener[], originOf: (listener: Listener) => string) {
  for (const index of [0, 1]) {
    const listener = () => listeners()[index]!;
    const where = index === 0 ? 'the console' : 'the portal';
    const signIn = async (headers: Record<string, string>) =>
      send('POST', listener().session, headers, await listener().credentials());

    test(`${where} sets only cookies with the prefix __Host-, whatever the request headers say`, async () => {
      const claims = [
        {},
        { Origin: SIBLING },
        { Origin: SIBLING, 'Sec-Fetch-Site': 'same-origin' },
        { 'Sec-Fetch-Site': 'same-origin' },
        { Origin: `http://${new URL(listener().url).host}`, 'Sec-Fetch-Site': 'same-origin' },
        { Origin: originOf(listener()), 'Sec-Fetch-Site': 'same-origin' },
      ];
      const responses = await Promise.all(claims.map(signIn));
      const issued = responses.flatMap(({ cookies }) => cookies);
      expect(named(issued)).toEqual(issued.map(() => `__Host-${listener().cookie}`));
      for (const line of issued) expect(line).toMatch(/=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; .*; Secure$/);
      // The gateway neither passes its own cookies to services nor accepts them from services.
      expect(issued.every(isGatewayCookie)).toBe(true);
      // Programs send neither of the two headers. They can sign in, and so can the gateway's own pages.
      expect([responses[0]?.status, responses[5]?.status]).toEqual([201, 201]);
      // Browsers must send the right `Origin`, whatever `Sec-Fetch-Site` says.
      expect([responses[1]?.status, responses[2]?.status, responses[3]?.status]).toEqual([403, 403, 403]);
    });

    test(`${where} ignores session cookies without the prefix __Host-, however it is spelled`, async () => {
      const { cookies } = await signIn({});
      const [own = ''] = cookies.map((line) => line.split(';', 1)[0] ?? '');
      const statusWith = async (cookie: string) => (await send('GET', listener().session, { Cookie: cookie })).status;
      expect(await statusWith(own)).toBe(200);
      expect(await statusWith(`${listener().cookie}=${secret}; ${own}`)).toBe(200);
      const plain = own.replace('__Host-', '');
      // For browsers, the last two names are not `__Host-`, so they have none of its guarantees.
      for (const planted of [plain, own.replace('__Host-', '__Secure-'), own.replace('H', 'h'), `\u00a0${own}`]) {
        expect(await statusWith(planted)).toBe(401);
      }
      expect(await statusWith(`${own}; ${own}`)).toBe(401);
    });

    test(`${where} accepts changes only from its own origin`, async () => {
      const { cookies } = await signIn({});
      const Cookie = cookies.map((line) => line.split(';', 1)[0] ?? '').join('; ');
      const signOut = async (headers: Record<string, string>) =>
        (await send('DELETE', listener().session, { Cookie, ...headers })).status;
      expect(await signOut({ 'Sec-Fetch-Site': 'same-origin' })).toBe(403);
      expect(await signOut({ Origin: SIBLING, 'Sec-Fetch-Site': 'same-origin' })).toBe(403);
      expect(await signOut({ Origin: originOf(listener()), 'Sec-Fetch-Site': 'same-site' })).toBe(403);
      expect(await signOut({ Origin: originOf(listener()) })).toBe(204);
    });
  }
}

describe('on listeners that terminate TLS,', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ settings: { tls: authority.issue('own'), portal: { enabled: true } } });
  });
  afterAll(() => gateway.stop());
  overHttps(
    () => listListeners(gateway),
    ({ url }) => url,
  );
});

describe('behind a proxy that terminates TLS, if only the configured URL says so,', () => {
  let gateway: TestGateway;
  const urls = { 'tollgate-console': 'https://ops.example.com', 'tollgate-portal': 'https://developers.example.com' };
  beforeAll(async () => {
    gateway = await startTestGateway({
      settings: {
        admin: { url: `${urls['tollgate-console']}/tollgate` },
        portal: { enabled: true, url: urls['tollgate-portal'] },
      },
    });
  });
  afterAll(() => gateway.stop());
  overHttps(
    () => listListeners(gateway),
    ({ cookie }) => urls[cookie as keyof typeof urls],
  );

  // A page is at a loopback address if, for example, it is opened through an SSH tunnel while the proxy is down.
  // Browsers accept `__Host-` cookies from loopback, too.
  test('a page at a loopback address can sign in with the same cookie', async () => {
    for (const { url, session, cookie, credentials } of listListeners(gateway)) {
      const headers = { Origin: url, 'Sec-Fetch-Site': 'same-origin' };
      const { status, cookies } = await send('POST', session, headers, await credentials());
      expect([status, ...named(cookies)]).toEqual([201, `__Host-${cookie}`]);
      const Cookie = cookies[0]!.split(';', 1)[0]!;
      expect((await send('DELETE', session, { ...headers, Cookie })).status).toBe(204);
    }
  });
});

describe('on a loopback address without TLS,', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ settings: { portal: { enabled: true } } });
  });
  afterAll(() => gateway.stop());

  test('the session cookie has no prefix, and a cookie with the prefix __Host- is ignored', async () => {
    for (const { url, session, cookie, credentials } of listListeners(gateway)) {
      const headers = { Origin: url, 'Sec-Fetch-Site': 'same-origin' };
      const { status, cookies } = await send('POST', session, headers, await credentials());
      expect([status, ...named(cookies)]).toEqual([201, cookie]);
      const [own = ''] = cookies.map((line) => line.split(';', 1)[0] ?? '');
      expect(cookies.every(isGatewayCookie)).toBe(true);
      expect((await send('GET', session, { Cookie: own })).status).toBe(200);
      expect((await send('GET', session, { Cookie: `__Host-${own}` })).status).toBe(401);
    }
  });

  // Without a configured URL, the gateway cannot know that a proxy terminates TLS, so it refuses the sign-in.
  test('a sign-in from an https:// origin is rejected, and the error names the settings admin.url and portal.url', async () => {
    for (const { session, credentials } of listListeners(gateway)) {
      const headers = { Origin: 'https://tollgate.example.com', 'Sec-Fetch-Site': 'same-origin' };
      const { status, cookies, body } = await send('POST', session, headers, await credentials());
      expect([status, body.code, cookies]).toEqual([403, 'insecure_connection', []]);
      expect(body.message).toMatch(/admin\.url or portal\.url/);
    }
  });
});
