/** In the first hour of a new issuer, the admin API shows the results of verifying its tokens. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { callWithToken, startTokenGateway } from '../../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { until } from '../../support/until.ts';

const AUDIENCE = 'https://api.example.com';
const key = createIssuerKey('ES256', 'one');

let issuer: TokenIssuerServer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  const audience = [AUDIENCE];
  gateway = await startTokenGateway([
    { name: 'corp', issuer: issuer.url, audience },
    { name: 'closed', issuer: `${issuer.url}/closed`, jwksUri: `${issuer.url}/jwks`, audience, register: false },
    { name: 'lost', issuer: `${issuer.url}/lost`, audience, plan: 'pro', maxCallers: 5 },
  ]);
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
});

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
async function readTokens(query = ''): Promise<any> {
  const response = await gateway.admin(`/v1/tokens${query}`);
  expect(response.status).toBe(200);
  return response.json();
}

async function send(claims: object): Promise<number> {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const token = signToken(key, { alg: key.alg, kid: 'one' }, { iss: issuer.url, aud: AUDIENCE, exp, ...claims });
  return (await callWithToken(gateway, token)).status;
}

test('each issuer is listed with its keys, its number of callers and its counts of verified tokens', async () => {
  expect(await send({ azp: 'app-1' })).toBe(200);
  expect(await send({ azp: 'app-1', jti: 'another' })).toBe(200);
  expect(await send({ azp: 'app-2' })).toBe(200);
  expect(await send({ azp: 'app-2', exp: 1 })).toBe(401);
  expect(await send({ azp: 'app-2', aud: 'other' })).toBe(401);
  expect(await send({})).toBe(401);
  expect(await send({ azp: 'app-3', aud: 'other' })).toBe(401);
  expect(await send({ iss: `${issuer.url}/closed`, azp: 'app-1' })).toBe(403);
  await until(async () => (await readTokens()).items[2].keys.state === 'away');

  const { gateway: self, items, nextCursor } = await readTokens();
  expect(self).toEqual({ id: expect.any(String), host: expect.any(String) });
  expect(nextCursor).toBeNull();
  const [corp, closed, lost] = items;
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(corp).toEqual({
    name: 'corp',
    issuer: issuer.url,
    audience: [AUDIENCE],
    caller: ['azp', 'client_id', 'sub'],
    plan: 'free',
    register: true,
    maxCallers: 100_000,
    callers: 2,
    keys: { state: 'ready', count: 1, algorithms: ['ES256'], fetchedAt: time, failure: null },
    verifications: {
      since: time,
      total: expect.objectContaining({ verified: 3, token_expired: 1, token_invalid: 3, overloaded: 0 }),
      lastHour: {
        since: corp.verifications.since,
        counts: expect.objectContaining({ verified: 3, token_expired: 1, token_invalid: 3 }),
      },
      invalid: [
        { reason: 'is not for this API (aud)', count: 2 },
        { reason: 'does not name its caller (azp, client_id, sub)', count: 1 },
      ],
      refusedCallers: [],
    },
  });
  expect(closed).toMatchObject({
    callers: 0,
    register: false,
    keys: { state: 'ready' },
    verifications: { total: { verified: 1 }, refusedCallers: [{ reason: 'not_registered', count: 1 }] },
  });
  expect(lost).toMatchObject({
    plan: 'pro',
    maxCallers: 5,
    callers: 0,
    keys: { state: 'away', count: 0, algorithms: [], fetchedAt: null, failure: { since: time } },
    verifications: { total: { verified: 0 }, invalid: [] },
  });
  expect(lost.keys.failure.reason).toContain('/lost/.well-known/openid-configuration');
});

test('issuers are listed in pages, and viewers may list them', async () => {
  const first = await readTokens('?limit=2');
  expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['corp', 'closed']);
  const rest = await readTokens(`?limit=2&cursor=${first.nextCursor}`);
  expect(rest.items.map(({ name }: { name: string }) => name)).toEqual(['lost']);
  expect(rest.nextCursor).toBeNull();
});
