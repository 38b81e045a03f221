/**
 * Two gateways share Redis and PostgreSQL. The access tokens and the keys of an account share its quota exactly. A
 * caller that both gateways see at the same moment is created only once.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Accounts } from '../../src/control-plane/accounts/accounts.ts';
import { openReadyPostgres } from '../support/servers/open-postgres.ts';
import { Fleet, type Member } from '../support/fleet/fleet.ts';
import { openSharedStorage, type SharedStorage } from '../support/fleet/shared-storage.ts';
import { tokenSettings } from '../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../support/servers/token-issuer.ts';

const AUDIENCE = 'https://api.example.com';
const LIMIT = 60;
const logger = pino({ level: 'silent' });
const key = createIssuerKey('ES256', 'ec');

let issuer: TokenIssuerServer;
let storage: SharedStorage;
let fleet: Fleet;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  storage = await openSharedStorage();
  const tokens = [{ name: 'corp', issuer: issuer.url, audience: [AUDIENCE] }];
  // The timeout is long, because otherwise a slow machine would look like an outage of Redis, during which each gateway
  // counts on its own.
  const more = { redis: { commandTimeout: '2s' } };
  fleet = await Fleet.start(2, { ...storage.locations, settings: tokenSettings(tokens, more) });
});
afterAll(async () => {
  await fleet.stop();
  await storage.release();
  issuer.stop();
});

function createToken(app: string): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  return signToken(key, { alg: key.alg, kid: key.jwk.kid }, { iss: issuer.url, aud: AUDIENCE, azp: app, exp });
}

async function callWithToken({ publicUrl }: Member, token: string): Promise<number> {
  const response = await fetch(new URL('/echo', publicUrl), { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  return response.status;
}

test('gateways that see a new caller concurrently create it once', async () => {
  const token = createToken('new-app');
  const calls = Array.from({ length: 20 }, (_, index) => callWithToken(fleet.members[index % 2]!, token));
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  const { body } = await fleet.members[0]!.admin('GET', '/keys?kind=token&owner=corp:new-app');
  expect(body['items']).toHaveLength(1);
});

test('tokens and keys of one account together get exactly the limit', async () => {
  const [one] = fleet.members;
  const { body: plans } = await one!.admin('GET', '/plans');
  const template = (plans['items'] as Record<string, unknown>[]).find(({ custom }) => custom === false)!;
  const { id: _id, revision: _revision, keys: _keys, ...plan } = template;
  await one!.admin('PUT', '/plans/mixed', { ...plan, limits: { minute: LIMIT, day: LIMIT } });
  const account = await one!.admin('POST', '/accounts', { owner: 'acme', name: 'Acme', plan: 'mixed' });
  expect(account.status).toBe(201);
  const apps = ['app-1', 'app-2'];
  for (const caller of apps) {
    const added = await one!.admin('POST', '/keys', { kind: 'token', token: { name: 'corp', caller }, owner: 'acme' });
    expect(added.body).toMatchObject({ plan: 'mixed', quotaId: account.body['id'] });
  }
  const tokens = apps.map(createToken);
  const database = await openReadyPostgres(storage.locations.database, logger);
  const change = { actor: 'test', reason: null, at: Date.now() };
  const accounts = new Accounts(database, logger);
  const { secret } = await accounts.createKey(String(account.body['id']), { name: 'key' }, { maxKeys: 1 }, change);
  await database.close();
  const callers = [
    ...tokens.map((token) => (member: Member) => callWithToken(member, token)),
    async (member: Member) => (await member.get('/echo', secret)).status,
  ];
  const calls = Array.from({ length: 4 * LIMIT }, (_, index) => callers[index % 3]!(fleet.members[index % 2]!));
  const statuses = await Promise.all(calls);
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
});
