import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../../src/base/error-types.ts';
import type { Credential } from '../../../src/domain/credential.ts';
import { CredentialCache, type CredentialCacheOptions } from '../../../src/data-plane/credentials/credential-cache.ts';
import type { ChangeContext } from '../../../src/control-plane/registry/audit-log.ts';
import type { Key } from '../../../src/control-plane/registry/key.ts';
import type { Invalidation } from '../../../src/data-plane/boundary-types.ts';
import type { Database } from '../../../src/storage/database.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { enterprise, free, createNewKey, pro, createSuccessor } from '../../support/registry-data.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MINUTE = 60_000;
const NOON = 1_700_000_040_000 - (1_700_000_040_000 % MINUTE);
const change: ChangeContext = { actor: 'test', reason: null, at: NOON };

/** The real registry, with results that can be held back or fail when the test wants it. */
class HeldRegistry extends Registry {
  reads = 0;
  running = 0;
  mostRunning = 0;
  failure: Error | null = null;
  /** Delays results that have been read. */
  #hold: Promise<void> | null = null;
  #release = () => {};

  hold(): void {
    this.#hold = new Promise((resolve) => (this.#release = resolve));
  }

  release(): void {
    this.#hold = null;
    this.#release();
  }

  override async findCredential(hash: string): Promise<Credential | null> {
    this.reads++;
    this.running++;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      if (this.failure !== null) {
        if (this.#hold !== null) await this.#hold;
        throw this.failure;
      }
      const credential = await super.findCredential(hash);
      if (this.#hold !== null) await this.#hold;
      return credential;
    } finally {
      this.running--;
    }
  }

  /** True while announcements and heartbeats arrive. False stops the time up to which they have arrived. */
  #hears = false;
  #heardUntil = -Infinity;

  set hears(hears: boolean) {
    this.#heardUntil = this.heardUntil();
    this.#hears = hears;
  }

  heardUntil(): number {
    return this.#hears ? now : this.#heardUntil;
  }

  /** Passes an announcement on to the cache. */
  announce = (deliver: () => void) => deliver();

  override onInvalidation(listener: (invalidation: Invalidation) => void): void {
    this.missChanges = () => listener({ kind: 'all' });
    super.onInvalidation((invalidation) => this.announce(() => listener(invalidation)));
  }

  missChanges = () => {};

  /** The arguments of `reportUses`, in ms. */
  readonly reports: number[] = [];
  /** The duration of recording uses, in ms. */
  touchingMs = 0;

  override async touchKeys(
    lastUsed: ReadonlyMap<string, number>,
    networks: ReadonlyMap<string, string>,
  ): Promise<void> {
    if (this.failure !== null) throw this.failure;
    now += this.touchingMs;
    await super.touchKeys(lastUsed, networks);
  }

  async reportUses(agoMs: number): Promise<void> {
    if (this.failure !== null) throw this.failure;
    this.reports.push(agoMs);
  }
}

const folder = tempFolder();
let database: Database;
let registry: HeldRegistry;
let cache: CredentialCache;
let now: number;
let errors: unknown[];

beforeEach(async () => {
  database = await openSqliteDatabase(`${folder.path}/${performance.now()}.db`);
  registry = new HeldRegistry(database);
  await registry.seedPlans([free, pro, enterprise], change);
  now = 1000.5;
  errors = [];
  cache = make();
});
afterEach(async () => {
  registry.failure = null;
  await cache.close();
  await database.close();
});
afterAll(() => folder.remove());

function make(settings: Partial<CredentialCacheOptions> = {}): CredentialCache {
  const clocks = { clock: () => now, wallClock: () => NOON + now };
  return new CredentialCache(registry, (error) => errors.push(error), { ...clocks, ...settings });
}

const create = (over = {}) => registry.createKey(createNewKey(over), change);
const outage = () => (registry.failure = new StoreUnavailable('no answer'));

/** Expects a cached result, without a promise. */
function known(hash: string): Credential | null {
  const response = cache.lookUp(hash, 'secret');
  expect(response).not.toBeInstanceOf(Promise);
  return response as Credential | null;
}

/** Lets everything continue that waits only for the registry. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a key is read once, and later lookups return the same object immediately', async () => {
  const key = await create();
  const first = cache.lookUp(key.hash, 'secret');
  expect(first).toBeInstanceOf(Promise);
  const credential = await first;
  expect(credential).toEqual({
    keyId: key.id,
    kind: 'secret',
    token: null,
    quotaId: key.id,
    owner: 'acme',
    plan: 'free',
    limits: free.limits,
    concurrent: null,
    mode: 'enforce',
    onStoreFailure: 'local',
    status: 'active',
    expiresAt: null,
    planOperations: null,
    keyOperations: null,
    addresses: null,
    validation: null,
    endNotice: null,
  });
  expect(known(key.hash)).toBe(credential);
  expect(registry.reads).toBe(1);
  expect(cache.counters).toEqual({ hits: 1, unknown: 0, misses: 1, stale: 0 });
});

test('a key on a custom plan has its own limits', async () => {
  const key = await create({ plan: 'enterprise', limits: { minute: 5, day: 50 } });
  expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ limits: { minute: 5, day: 50 } });
});

test('a revoked key is found as revoked, even if its plan was deleted', async () => {
  const key = await create({ status: 'revoked' });
  await registry.deletePlan('free', change);
  expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ keyId: key.id, status: 'revoked' });
});

test('concurrent lookups of one key share one query', async () => {
  const key = await create();
  registry.hold();
  const responses = Array.from({ length: 50 }, async () => cache.lookUp(key.hash, 'secret'));
  registry.release();
  expect(new Set(await Promise.all(responses)).size).toBe(1);
  expect(registry.reads).toBe(1);
});

test('a key is read again after 30 s if the cache receives no announcements', async () => {
  const key = await create();
  await cache.lookUp(key.hash, 'secret');
  now += 29_999;
  known(key.hash);
  now += 1;
  expect(cache.lookUp(key.hash, 'secret')).toBeInstanceOf(Promise);
  await settle();
  known(key.hash);
  expect(registry.reads).toBe(2);
});

test('the number of cached keys is limited, and invalid keys do not evict valid ones', async () => {
  await cache.close();
  cache = make({ maxKeys: 2, maxUnknown: 2 });
  const keys = [await create(), await create(), await create()] as const;
  for (const { hash } of keys) await cache.lookUp(hash, 'secret');
  for (let n = 0; n < 10; n++) await cache.lookUp(`junk ${n}`, 'secret');
  known(keys[2].hash);
  known(keys[1].hash);
  expect(cache.lookUp(keys[0].hash, 'secret')).toBeInstanceOf(Promise);
  await settle();
});

describe('changes', () => {
  test('apply from the next request', async () => {
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'revoked' });
  });

  test('to a plan apply to all its keys', async () => {
    const keys = [await create(), await create()];
    for (const { hash } of keys) await cache.lookUp(hash, 'secret');
    const limits = { minute: 1, day: 2 };
    await registry.putPlan({ ...free, limits }, change);
    for (const { hash } of keys) expect(await cache.lookUp(hash, 'secret')).toMatchObject({ limits });
  });

  test('a rotation ends the old key and shares the counters', async () => {
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    const next = await registry.rotateKey(key.id, createSuccessor(), { oldExpiresAt: NOON + 5 }, change);
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ expiresAt: NOON + 5 });
    expect(await cache.lookUp(next.hash, 'secret')).toMatchObject({ keyId: next.id, quotaId: key.id });
  });

  test('discard a result that was read before a revocation but arrives after it', async () => {
    const key = await create();
    registry.hold();
    const early = cache.lookUp(key.hash, 'secret');
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    const late = cache.lookUp(key.hash, 'secret');
    registry.release();
    expect(await early).toMatchObject({ status: 'active' });
    expect(await late).toMatchObject({ status: 'revoked' });
    expect(known(key.hash)).toMatchObject({ status: 'revoked' });
    expect(registry.reads).toBe(2);
  });

  test('discard results that were read before a plan changed', async () => {
    const key = await create();
    registry.hold();
    const early = cache.lookUp(key.hash, 'secret');
    await registry.putPlan({ ...pro, name: 'Other' }, change);
    registry.release();
    await early;
    expect(cache.lookUp(key.hash, 'secret')).toBeInstanceOf(Promise);
    await settle();
  });

  test('discard an unknown key that was read before the key was created', async () => {
    const key = createNewKey();
    registry.hold();
    const early = cache.lookUp(key.hash, 'secret');
    await registry.createKey(key, change);
    registry.release();
    expect(await early).toBeNull();
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ keyId: key.id });
  });
});

describe('while announcements of changes arrive', () => {
  const MINUTES_15 = 15 * MINUTE;
  let key: Key;
  beforeEach(async () => {
    key = await create();
    registry.hears = true;
    await cache.lookUp(key.hash, 'secret');
  });

  test('a key is read again only after 15 minutes', async () => {
    now += MINUTES_15 - 1;
    known(key.hash);
    now += 1;
    expect(cache.lookUp(key.hash, 'secret')).toBeInstanceOf(Promise);
    await settle();
    expect(registry.reads).toBe(2);
  });

  test('a change applies from the next request, however long ago the key was read', async () => {
    now += MINUTES_15 - 1;
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'revoked' });
  });

  test('a lost revocation applies 3 s after the announcements stop', async () => {
    now += MINUTE;
    registry.announce = () => {};
    registry.hears = false;
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    now += 2999;
    known(key.hash);
    now += 1;
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'revoked' });
  });

  test('a lost revocation of a key that was just read applies after 30 s, as without announcements', async () => {
    registry.announce = () => {};
    registry.hears = false;
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    now += 29_999;
    known(key.hash);
    now += 1;
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'revoked' });
  });

  test('a delayed announcement does not make an older result current', async () => {
    const delayed: (() => void)[] = [];
    registry.announce = (deliver) => delayed.push(deliver);
    registry.hears = false;
    now += MINUTE;
    await registry.updateKey(key.id, { status: 'disabled' }, change);
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'disabled' });
    await registry.updateKey(key.id, { status: 'active' }, change);
    registry.hold();
    delayed.shift()?.();
    const waiting = cache.lookUp(key.hash, 'secret');
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    for (const deliver of delayed) deliver();
    registry.release();
    registry.hears = true;
    await waiting;
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'revoked' });
  });

  test('an announcement that arrives twice costs one more read', async () => {
    let again = () => {};
    registry.announce = (deliver) => {
      deliver();
      again = deliver;
    };
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'revoked' });
    again();
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'revoked' });
    expect(known(key.hash)).toMatchObject({ status: 'revoked' });
    expect(registry.reads).toBe(3);
  });

  test('a key that was read long ago works for 15 minutes after the last response of the registry', async () => {
    now += 10 * MINUTE;
    await cache.flushUsage();
    outage();
    // Announcements may outlast the registry, but do not extend the time.
    now += 10_000;
    registry.hears = false;
    now += MINUTES_15 - 10_001;
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ status: 'active' });
    now += 1;
    await expect(cache.lookUp(key.hash, 'secret')).rejects.toThrow(StoreUnavailable);
  });

  test('an outage does not extend the use of a key whose revocation was lost', async () => {
    now += 10 * MINUTE;
    await cache.flushUsage();
    registry.announce = () => {};
    registry.hears = false;
    const revokedAt = now;
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    now += 2000;
    outage();
    // The gateway reconnects in vain: changes may have been missed, and nothing is read.
    registry.missChanges();
    now = revokedAt + MINUTES_15;
    await expect(cache.lookUp(key.hash, 'secret')).rejects.toThrow(StoreUnavailable);
  });
});

describe('unknown keys', () => {
  test('are remembered briefly', async () => {
    expect(await cache.lookUp('junk', 'secret')).toBeNull();
    expect(known('junk')).toBeNull();
    expect(cache.counters).toEqual({ hits: 0, unknown: 1, misses: 1, stale: 0 });
    now += 5_000;
    expect(await cache.lookUp('junk', 'secret')).toBeNull();
    expect(registry.reads).toBe(2);
  });

  test('are forgotten when the key is created', async () => {
    const keys = [createNewKey(), createNewKey()] as const;
    for (const { hash } of keys) await cache.lookUp(hash, 'secret');
    await registry.createKeys(keys, change);
    for (const { id, hash } of keys) expect(await cache.lookUp(hash, 'secret')).toMatchObject({ keyId: id });
  });

  test('are looked up with limited concurrency, and known keys do not queue behind them', async () => {
    await cache.close();
    cache = make({ maxLookUps: 3 });
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    now += 30_000;
    registry.hold();
    const junk = Array.from({ length: 20 }, async (_, n) => cache.lookUp(`junk ${n}`, 'secret'));
    await settle();
    expect(registry.running).toBe(3);
    const customer = cache.lookUp(key.hash, 'secret');
    await settle();
    expect(registry.running).toBe(4);
    registry.release();
    expect(await customer).toMatchObject({ keyId: key.id });
    expect(new Set(await Promise.all(junk))).toEqual(new Set([null]));
    expect(registry.mostRunning).toBe(4);
    expect(registry.reads).toBe(22);
  });
});

describe('while the registry does not respond', () => {
  test('an unknown key is refused with 503, and not remembered as unknown', async () => {
    const key = await create();
    outage();
    await expect(cache.lookUp(key.hash, 'secret')).rejects.toThrow(StoreUnavailable);
    registry.failure = null;
    expect(await cache.lookUp(key.hash, 'secret')).toMatchObject({ keyId: key.id });
  });

  test('a known key works for 15 minutes, and only the first request waits', async () => {
    const key = await create();
    const credential = await cache.lookUp(key.hash, 'secret');
    now += 30_000;
    outage();
    expect(await cache.lookUp(key.hash, 'secret')).toBe(credential);
    expect(known(key.hash)).toBe(credential);
    now += 14 * MINUTE;
    expect(known(key.hash)).toBe(credential);
    expect(cache.counters.stale).toBe(3);
    now += MINUTE;
    await expect(cache.lookUp(key.hash, 'secret')).rejects.toThrow(StoreUnavailable);
  });

  test('requests with other known keys do not wait either', async () => {
    const keys = [await create(), await create()] as const;
    for (const { hash } of keys) await cache.lookUp(hash, 'secret');
    now += 30_000;
    outage();
    await cache.lookUp(keys[0].hash, 'secret');
    expect(known(keys[1].hash)).toMatchObject({ keyId: keys[1].id });
  });

  test('the registry is tried once a second in the background, and lookups work again when it returns', async () => {
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    now += 30_000;
    outage();
    await cache.lookUp(key.hash, 'secret');
    const { reads } = registry;
    for (let n = 0; n < 100; n++) known(key.hash);
    expect(registry.reads).toBe(reads);
    now += 1_000;
    for (let n = 0; n < 100; n++) known(key.hash);
    await settle();
    expect(registry.reads).toBe(reads + 1);

    registry.failure = null;
    now += 1_000;
    known(key.hash);
    await settle();
    const { hits } = cache.counters;
    known(key.hash);
    expect(cache.counters.hits).toBe(hits + 1);
    expect(errors).toEqual([]);
  });

  test('a revoked key does not work', async () => {
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    now += 30_000;
    outage();
    registry.hold();
    const waiting = cache.lookUp(key.hash, 'secret');
    await registry.updateKey(key.id, { status: 'revoked' }, change);
    registry.release();
    await expect(waiting).rejects.toThrow(StoreUnavailable);
    await expect(cache.lookUp(key.hash, 'secret')).rejects.toThrow(StoreUnavailable);
  });

  test('a key whose cached data is outdated still works', async () => {
    const key = await create();
    const credential = await cache.lookUp(key.hash, 'secret');
    await registry.putPlan({ ...pro, name: 'Other' }, change);
    outage();
    expect(await cache.lookUp(key.hash, 'secret')).toBe(credential);
    expect(known(key.hash)).toBe(credential);
  });

  test('other errors are not treated as outages, and reach all waiting callers', async () => {
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    now += 30_000;
    registry.failure = new TypeError('a fault');
    await expect(cache.lookUp(key.hash, 'secret')).rejects.toThrow('a fault');
    await expect(cache.lookUp('other', 'secret')).rejects.toThrow('a fault');
    registry.failure = null;
    expect(await cache.lookUp('other', 'secret')).toBeNull();
  });
});

describe('use of keys', () => {
  const lastUsed = async (key: Key) => (await registry.getKey(key.id))?.lastUsedAt;

  test('is recorded to the minute when flushed', async () => {
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    await cache.flushUsage();
    expect(await lastUsed(key)).toBe(NOON);
    now += 20_000;
    known(key.hash);
    now = 2 * MINUTE - 1;
    await cache.lookUp(key.hash, 'secret');
    now += 5 * MINUTE;
    await cache.flushUsage();
    expect(await lastUsed(key)).toBe(NOON + MINUTE);
  });

  test('is kept until the registry responds again', async () => {
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    outage();
    await expect(cache.flushUsage()).rejects.toThrow(StoreUnavailable);
    registry.failure = null;
    await cache.flushUsage();
    expect(await lastUsed(key)).toBe(NOON);
  });

  test('is flushed on close', async () => {
    const key = await create();
    await cache.lookUp(key.hash, 'secret');
    await cache.close();
    expect(await lastUsed(key)).toBe(NOON);
  });

  test('is not recorded if the key is refused', async () => {
    const keys = [await create({ status: 'disabled' }), await create({ expiresAt: NOON })];
    for (const { hash } of keys) await cache.lookUp(hash, 'secret');
    await cache.flushUsage();
    for (const key of keys) expect(await lastUsed(key)).toBeNull();
  });
});

test('uses are reported as recorded up to the time of collection, even if there were none', async () => {
  await cache.flushUsage();
  expect(registry.reports).toEqual([0]);
  const { hash } = await create();
  await cache.lookUp(hash, 'secret');
  registry.touchingMs = 250;
  await cache.flushUsage();
  expect(registry.reports).toEqual([0, 250]);
});

test('uses that could not be recorded are reported only after a later flush records them with their networks', async () => {
  const { id, hash } = await create();
  await registry.rotateKey(id, createSuccessor(), { oldExpiresAt: NOON + 86_400_000, untilQuiet: true }, change);
  await cache.lookUp(hash, 'secret');
  cache.noteAddress(id, '203.0.113.7');
  cache.noteAddress(id, '2001:db8:1:2::3');
  outage();
  await expect(cache.flushUsage()).rejects.toThrow(StoreUnavailable);
  expect([registry.reports, cache.hasUnsentUses]).toEqual([[], true]);
  registry.failure = null;
  await cache.flushUsage();
  expect([registry.reports.length, cache.hasUnsentUses]).toEqual([1, false]);
  expect(await registry.getKey(id)).toMatchObject({ lastUsedAt: NOON, lastUsedFrom: '2001:db8:1::/48' });
});
