/**
 * A gateway of the previous version and one of this version share PostgreSQL and Redis, as during a rolling update. The
 * tests are the steps of an update and of going back, while clients call both gateways. Each step begins where the one
 * before it ended.
 *
 * `BESIDE_MINUTES=10` lets both versions run side by side for that long, with mixed traffic, changes and restarts.
 */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startClients } from '../support/gateway/alternating-clients.ts';
import type { Member } from '../support/fleet/fleet.ts';
import { callWithToken, LIMIT, callAdminApi, PortalUser, TwoVersions } from '../support/fleet/two-versions.ts';
import { RawConnection } from '../support/raw.ts';
import { until } from '../support/until.ts';

const BESIDE_MS = Number(process.env['BESIDE_MINUTES'] ?? 0) * 60_000;

interface SecretKey {
  readonly id: string;
  readonly secret: string;
}

let versions: TwoVersions;
let clients: ReturnType<typeof startClients>;
/** The gateways that the clients call. Before the update, both are the gateway of the previous version. */
let addresses: [{ url: string; key: string }, { url: string; key: string }];
/** The keys that an operator created before the update. */
let keys: Record<'active' | 'banned' | 'disabled' | 'revoked', SecretKey>;
/** The id of a key that this version has exempted, and whose call it has counted as one that does not fit the document. */
let exempt: string;
/** The id of an account with the owner `acme`. */
let account: string;

beforeAll(async () => {
  versions = await TwoVersions.open();
  await versions.start('previous');
  const { previous } = versions;
  const create = () => createKey(previous, 'free');
  keys = { active: await create(), banned: await create(), disabled: await create(), revoked: await create() };
  await ban(previous, keys.banned.id);
  await update(previous, keys.disabled.id, { status: 'disabled' });
  await update(previous, keys.revoked.id, { status: 'revoked' });
  account = await createAccount(previous, 'acme', 'free');
  addresses = [findAddress(previous), findAddress(previous)];
  clients = startClients({ count: 6, paths: ['/now', '/slow?ms=30', '/stream?ms=20'], addresses });
});
afterAll(async () => {
  await clients.stop();
  await versions.close();
});

test('this version starts beside the previous one, and serves the keys that it has stored', async () => {
  await untilServed();
  await versions.start('current');
  addresses[1] = findAddress(versions.current);
  await untilServed();
  for (const member of [versions.previous, versions.current]) expect(await callWithKeys(member)).toEqual(EXPECTED);
  const [ours, theirs] = await Promise.all([createKey(versions.current, 'free'), createKey(versions.previous, 'free')]);
  for (const { secret } of [ours, theirs]) {
    expect((await versions.previous.get('/now', secret)).status).toBe(200);
    expect((await versions.current.get('/now', secret)).status).toBe(200);
  }
});

test('the previous version ignores callers with access tokens', async () => {
  const { previous, current } = versions;
  const token = versions.createToken('app-1');
  expect(await callWithToken(current, token)).toBe(200);
  expect(await callWithToken(previous, token)).toBe(401);
  // If a request has both a key and a token, the key is charged.
  const both = { authorization: `Bearer ${token}`, 'x-api-key': keys.active.secret };
  expect((await fetch(new URL('/now', previous.publicUrl), { headers: both })).status).toBe(200);

  const { items } = await callAdminApi(previous, 'GET', '/keys?owner=corp:app-1');
  expect(items).toMatchObject([{ name: 'app-1', prefix: '', lastFour: '', status: 'active', operations: [] }]);
  const [{ id }] = items as [{ id: string }];
  expect(await callAdminApi(previous, 'GET', '/keys')).toMatchObject({ total: 7 });
  expect(await callAdminApi(previous, 'GET', `/keys/${id}/usage`)).toMatchObject({ windows: expect.any(Array) });
  expect(await callAdminApi(previous, 'GET', '/owners?q=corp')).toMatchObject({
    items: [{ owner: 'corp:app-1', keys: 1 }],
  });

  const preimage = ['token', versions.issuer, 'azp', 'app-1'];
  const sha256 = hash('sha256', preimage.join('\0'));
  expect(await callWithRawKey(previous, preimage.join('\0'))).toBe(400);
  for (const key of [preimage.join(''), preimage.join('%00'), sha256, id]) {
    expect(await callWithRawKey(previous, key)).toBe(401);
  }

  const imported = { sha256, prefix: 'other', lastFour: '0000', random: true, name: 'x', owner: 'x', plan: 'free' };
  expect(await previous.admin('POST', '/keys/import', { keys: [imported] })).toMatchObject({
    status: 400,
    body: { details: [{ path: '/keys/0/sha256', message: expect.stringContaining('exists already') }] },
  });
  expect(await previous.admin('POST', '/keys', imported)).toMatchObject({ status: 409 });
  expect(await callWithToken(current, token)).toBe(200);
  await expect(versions.startPreviousWithTokens()).rejects.toThrow(/tokens/);
  expectNoFailures();
});

test('the previous version can neither make calls as a caller nor rotate one', async () => {
  const { previous, current } = versions;
  const { id } = await addCaller('app-of-acme', 'acme');
  const token = versions.createToken('app-of-acme');
  const consumer = await PortalUser.signIn(previous, account);
  const tried = () => consumer.post('/try', { keyId: id, method: 'GET', path: '/now' });
  const calledAt = async () =>
    (await callAdminApi(current, 'GET', `/keys/${id}/usage`))['windows'] as { used: number }[];
  expect(await tried()).toMatchObject({ status: 200, body: { status: 403 } });
  expect(await calledAt()).toMatchObject([{ used: 0 }, { used: 0 }]);

  for (const rotated of [
    await previous.admin('POST', `/keys/${id}/rotate`, {}),
    await previous.admin('POST', `/keys/${id}/rotate`, { graceUntil: 'quiet' }),
    await consumer.post(`/keys/${id}/rotate`, {}),
  ]) {
    expect(rotated).toMatchObject({ status: 409, body: { code: 'conflict' } });
  }
  expect(await callAdminApi(current, 'GET', `/keys/${id}`)).toMatchObject({ rotatedTo: null, expiresAt: null });
  expect(await callWithToken(current, token)).toBe(200);

  // A key that the account creates still works as before.
  const { body: own } = await consumer.post('/keys', { name: 'own' });
  const call = { keyId: own['id'], method: 'GET', path: '/now' };
  expect(await consumer.post('/try', call)).toMatchObject({ status: 200, body: { status: 200 } });
  expect((await previous.get('/now', String(own['key']))).status).toBe(200);
  expectNoFailures();
});

test('changes that the previous version makes to a caller apply in this version', async () => {
  const { previous, current } = versions;
  const token = versions.createToken('app-2');
  const untilResponse = (status: number, path?: string) =>
    until(async () => (await callWithToken(current, token, path)) === status);
  await untilResponse(200);
  const [{ id }] = (await callAdminApi(current, 'GET', '/keys?owner=corp:app-2'))['items'] as [{ id: string }];

  await ban(previous, id);
  await untilResponse(403);
  await callAdminApi(previous, 'DELETE', `/keys/${id}/ban`, { reason: 'test' });
  await untilResponse(200);

  await update(previous, id, { operations: ['slow'] });
  await untilResponse(403);
  await untilResponse(200, '/slow');
  await update(current, id, { operations: ['now'] });
  await untilResponse(200);
  await untilResponse(403, '/slow');
  expect(await callAdminApi(previous, 'GET', `/keys/${id}`)).toMatchObject({ operations: [] });

  await update(previous, id, { addresses: ['192.0.2.1'] });
  await untilResponse(403);
  await update(previous, id, { addresses: null });
  await untilResponse(200);

  await update(previous, id, { status: 'disabled' });
  await untilResponse(401);
  await update(previous, id, { status: 'active' });
  await untilResponse(200);

  const disable = { action: 'disable', filter: { owner: 'corp:app-2' }, reason: 'test' };
  const preview = await callAdminApi(previous, 'POST', '/keys/bulk', { ...disable, preview: true });
  await callAdminApi(previous, 'POST', '/keys/bulk', { ...disable, preview: false, digest: preview['digest'] });
  await untilResponse(401);
  await update(current, id, { status: 'active' });
  await untilResponse(200);

  // The callers of an account are on the account's plan.
  const owned = await addCaller('planned-app', 'acme');
  await callAdminApi(previous, 'PATCH', `/accounts/${account}`, { plan: 'tight' });
  expect(await callAdminApi(current, 'GET', `/keys/${owned.id}`)).toMatchObject({ plan: 'tight', operations: null });

  await update(previous, id, { status: 'revoked' });
  await untilResponse(401);
  await versions.restart('current');
  expect(await callWithToken(versions.current, token)).toBe(401);
  expectNoFailures();
});

test('changes that this version makes apply in the previous one', async () => {
  const { previous, current } = versions;
  const { id, secret } = await createKey(current, 'free');
  const untilResponse = (status: number) => until(async () => (await previous.get('/now', secret)).status === status);
  await untilResponse(200);
  await callAdminApi(current, 'PUT', `/keys/${id}/ban`, { seconds: 3600, reason: 'test', message: 'Call us.' });
  await untilResponse(403);
  await callAdminApi(current, 'DELETE', `/keys/${id}/ban`, { reason: 'test' });
  await untilResponse(200);
  const successor = await callAdminApi(current, 'POST', `/keys/${id}/rotate`, { graceSeconds: 0 });
  await untilResponse(401);
  expect((await previous.get('/now', String(successor['key']))).status).toBe(200);
  await update(current, String(successor['id']), { status: 'revoked' });
  await until(async () => (await previous.get('/now', String(successor['key']))).status === 401);
  expectNoFailures();
});

test('only this version counts invalid calls, and the previous version keeps exemptions', async () => {
  const { previous, current } = versions;
  const { id, secret } = await createKey(current, 'free');
  exempt = id;
  for (const member of [previous, current]) expect((await member.get('/slow?ms=soon', secret)).status).toBe(200);
  await until(async () => (await readViolations(id)).length > 0);
  expect(await readViolations(id)).toMatchObject([{ rule: 'type', path: '/query/ms', requests: 1 }]);
  await update(current, id, { validation: 'report' });
  await update(previous, id, { name: 'renamed' });
  expect(await callAdminApi(current, 'GET', `/keys/${id}`)).toMatchObject({ name: 'renamed', validation: 'report' });
  expectNoFailures();
});

test('each version restarts while the other one serves requests', async () => {
  const token = versions.createToken('app-1');
  await versions.restart('previous');
  expect(versions.previous.logged(/the database has additions of a newer version, which are not used/)).toHaveLength(1);
  await untilServed();
  await versions.restart('current');
  await untilServed();
  for (const member of [versions.previous, versions.current]) expect(await callWithKeys(member)).toEqual(EXPECTED);
  expect(await callWithToken(versions.current, token)).toBe(200);
  expect(await callWithToken(versions.previous, token)).toBe(401);
});

test('both versions together admit exactly the limit, with keys and tokens of one account', async () => {
  const startedAt = performance.now();
  let [rounds, restarts] = [0, 0];
  while (rounds < 2 || performance.now() - startedAt < BESIDE_MS) {
    const [one, other] =
      rounds % 2 === 0 ? [versions.previous, versions.current] : [versions.current, versions.previous];
    await expectExact(`beside-${rounds}`, one);
    const { id, secret } = await createKey(one, 'free');
    expect((await other.get('/now', secret)).status).toBe(200);
    await ban(other, id);
    await until(async () => (await one.get('/now', secret)).status === 403);
    await update(other, id, { status: 'revoked' });
    await untilServed(20);
    if (rounds % 10 === 9) {
      await versions.restart(restarts % 2 === 0 ? 'previous' : 'current');
      restarts++;
    }
    rounds++;
  }
  if (BESIDE_MS > 0) {
    const { served, refused } = clients.tally;
    process.stdout.write(`${rounds} rounds, ${restarts} restarts, ${served} calls, ${refused} to a stopped gateway\n`);
  }
});

test('the previous version can serve alone again, and data of this version is still there after the next update', async () => {
  await versions.stop('current');
  await untilServed();
  const { served, refused } = clients.tally;
  expect(served).toBeGreaterThan(500);
  expect(refused).toBeGreaterThan(0);
  await clients.stop();
  expectNoFailures();

  await versions.restart('previous');
  expect(await callWithKeys(versions.previous)).toEqual(EXPECTED);
  expect(await callAdminApi(versions.previous, 'GET', '/keys?owner=corp:app-1')).toMatchObject({
    items: [{ prefix: '' }],
  });
  const meanwhile = await createKey(versions.previous, 'free');

  await versions.start('current');
  await versions.stop('previous');
  expect((await versions.current.get('/now', meanwhile.secret)).status).toBe(200);
  expect(await callWithKeys(versions.current)).toEqual(EXPECTED);
  expect(await callWithToken(versions.current, versions.createToken('app-1'))).toBe(200);
  expect(await callWithToken(versions.current, versions.createToken('app-2'))).toBe(401);
  const { items } = await callAdminApi(versions.current, 'GET', '/keys?kind=token&owner=corp:app-1');
  expect(items).toMatchObject([{ kind: 'token', operations: null }]);
  expect(await readViolations(exempt)).toMatchObject([{ rule: 'type', path: '/query/ms', requests: 1 }]);
  expect(await callAdminApi(versions.current, 'GET', `/keys/${exempt}`)).toMatchObject({ validation: 'report' });
});

function findAddress({ publicUrl }: Member): { url: string; key: string } {
  return { url: publicUrl, key: keys.active.secret };
}

/** The expected statuses of calls with the keys that were created before the update. */
const EXPECTED = { active: 200, banned: 403, disabled: 401, revoked: 401 };

async function callWithKeys(member: Member): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [name, { secret }] of Object.entries(keys)) statuses[name] = (await member.get('/now', secret)).status;
  return statuses;
}

/** Asserts that no call of the clients has failed, and that neither gateway has logged an error. */
function expectNoFailures(): void {
  expect(clients.tally.failures).toEqual([]);
  versions.expectNoErrors();
}

/** Waits until the clients have made enough calls to notice a fault. */
async function untilServed(count = 100): Promise<void> {
  const servedTarget = clients.tally.served + count;
  await until(() => clients.tally.served >= servedTarget || clients.tally.failures.length > 0);
  expectNoFailures();
}

async function createKey(member: Member, plan: string): Promise<SecretKey> {
  const { id, key } = await callAdminApi(member, 'POST', '/keys', { name: 'test', owner: 'test', plan });
  return { id: String(id), secret: String(key) };
}

async function createAccount(member: Member, owner: string, plan: string): Promise<string> {
  return String((await callAdminApi(member, 'POST', '/accounts', { owner, name: owner, email: null, plan }))['id']);
}

async function addCaller(caller: string, owner: string): Promise<{ readonly id: string }> {
  const added = { kind: 'token', token: { name: 'corp', caller }, owner };
  return { id: String((await callAdminApi(versions.current, 'POST', '/keys', added))['id']) };
}

/** Reads which rules of `/slow` the calls of a key broke. */
async function readViolations(key: string): Promise<readonly unknown[]> {
  const { items } = await callAdminApi(versions.current, 'GET', `/operations/slow/violations?by=rule&key=${key}`);
  return items as unknown[];
}

async function ban(member: Member, id: string): Promise<void> {
  await callAdminApi(member, 'PUT', `/keys/${id}/ban`, { seconds: 3600, reason: 'test' });
}

async function update(member: Member, id: string, patch: object): Promise<void> {
  await callAdminApi(member, 'PATCH', `/keys/${id}`, patch);
}

/**
 * Calls with a key that no HTTP client would send.
 *
 * @param key the bytes of the key, as Latin-1
 */
async function callWithRawKey({ publicUrl }: Member, key: string): Promise<number> {
  const connection = new RawConnection(publicUrl);
  connection.send(`GET /now HTTP/1.1\r\nHost: api\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`);
  const { status } = await connection.readResponse();
  connection.socket.destroy();
  return status;
}

/**
 * Asserts that a key and a caller of a new account share an exact quota, while both versions are called at once.
 *
 * @param creator the gateway that creates the account and its key
 */
async function expectExact(owner: string, creator: Member): Promise<void> {
  const { previous, current } = versions;
  const consumer = await PortalUser.signIn(creator, await createAccount(creator, owner, 'tight'));
  const { body } = await consumer.post('/keys', { name: 'key' });
  const secret = String(body['key']);
  await addCaller(owner, owner);
  const token = versions.createToken(owner);
  const senders = [
    async () => (await previous.get('/now', secret)).status,
    async () => (await current.get('/now', secret)).status,
    () => callWithToken(current, token),
  ];
  const calls = Array.from({ length: 3 * LIMIT }, (_, index) => senders[index % senders.length]!());
  const statuses = await Promise.all(calls);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
}
