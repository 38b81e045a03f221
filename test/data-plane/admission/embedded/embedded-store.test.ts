import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createEmbeddedStore } from '../../../../src/data-plane/admission/embedded/embedded-store.ts';
import type { AdmissionStore } from '../../../../src/data-plane/admission/store.ts';
import { StoreUnavailable } from '../../../../src/base/error-types.ts';
import { createQuotasTable, openCounters } from '../../../../src/storage/counters.ts';
import type { SqliteFile } from '../../../../src/storage/sqlite-file.ts';
import { admissionStoreContract } from '../../../contract/admission-store.contract.ts';
import { defaultPolicy as policy } from '../../../support/models/admission-history.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const noon = Date.UTC(2026, 0, 6, 12);
const limits = { minute: 5, day: 1000 };

let folder: string;
let file: string;
let now: number;
let database: SqliteFile;
let store: AdmissionStore;
const opened: AdmissionStore[] = [];
let errors: unknown[];
/** How much the clock advances each time it is read, in ms. Makes writes look slow. */
let passMs: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-'));
  file = join(folder, 'test.db');
  [now, errors, passMs] = [noon, [], 0];
});
afterEach(async () => {
  jest.useRealTimers();
  // Close the crashed stores, because they would keep trying to write and report errors to the tests that follow.
  await Promise.allSettled(opened.splice(0).map((each) => each.close()));
  if (database.sqlite.isOpen) database.close();
  rmSync(folder, { recursive: true });
});

async function open(): Promise<AdmissionStore> {
  database = await openCounters(file);
  let elapsedMs = 0;
  const monotonicClock = () => (elapsedMs += passMs);
  const onError = (error: unknown) => errors.push(error);
  store = createEmbeddedStore({ database, clock: () => now, policy, onError, monotonicClock });
  opened.push(store);
  return store;
}

/** Makes the file look as if the process had been killed. */
async function crash(): Promise<void> {
  database.close();
  await open();
}

async function restart(): Promise<void> {
  await store.close();
  await crash();
}

const admit = async (quotaId = 'a') => store.admit({ quotaId, cost: 1, limits, mode: 'enforce' });
const inspect = async (quotaId = 'a') => store.inspect(quotaId, limits);
const rows = () => database.sqlite.prepare('SELECT quota_id FROM quotas ORDER BY quota_id').all().length;

test('counters written by a version without months are read, and months are added', async () => {
  const old = new DatabaseSync(file);
  createQuotasTable(old);
  const seen = now - SECOND;
  const dayStart = now - (now % 86_400_000);
  // In column order: a minute that began 10 s ago, the day, no refusals, and a ban that was lifted.
  const row = [seen, now - 10 * SECOND, 3, 0, dayStart, 6, 0, 0, 0, 0, seen - 60_000, seen, 1, 0, now + 86_400_000];
  old.prepare(`INSERT INTO quotas VALUES ('a', ${row.join(', ')})`).run();
  old.exec('PRAGMA user_version = 1');
  old.close();
  await open();
  const monthly = { ...limits, month: 100 };
  expect(await store.inspect('a', monthly)).toMatchObject({
    minute: { used: 3 },
    day: { used: 6 },
    month: { used: 0 },
  });
  expect(await store.admit({ quotaId: 'a', cost: 1, limits: monthly, mode: 'enforce' })).toMatchObject({
    minute: { used: 4 },
    month: { used: 1 },
  });
  await restart();
  expect(await store.inspect('a', monthly)).toMatchObject({ minute: { used: 4 }, month: { used: 1 }, ban: null });
});

async function earnStrikes(count: number): Promise<void> {
  for (let i = 0; i <= limits.minute; i++) await admit();
  now += SECOND + 1;
  for (let i = 0; i < count; i++) await admit();
}

admissionStoreContract('The embedded store', {
  policy,
  open,
  clock: {
    advance(ms) {
      now += ms;
    },
  },
});

describe('a restart', () => {
  beforeEach(open);

  test('loses nothing after a clean stop', async () => {
    await earnStrikes(4);
    const before = await inspect();
    await restart();
    expect(await inspect()).toEqual(before);
    expect(await admit()).toMatchObject({ outcome: 'minute_exhausted', strikes: 5 });
  });

  test('leaves no window in the future, even if the clock was corrected meanwhile', async () => {
    now += 60 * MINUTE;
    for (let i = 0; i < limits.minute; i++) await admit();
    await store.close();
    now = noon;
    await crash();
    expect(await admit()).toMatchObject({ outcome: 'minute_exhausted', retryAt: noon + MINUTE });
  });

  test('keeps the level of the last ban', async () => {
    await earnStrikes(10);
    now += MINUTE;
    await restart();
    await earnStrikes(10);
    expect((await inspect()).ban).toMatchObject({ level: 2, until: now + 5 * MINUTE });
  });

  test('drops states that have expired in the meantime', async () => {
    await admit();
    now += DAY;
    await admit('b');
    await restart();
    expect(rows()).toBe(1);
  });
});

describe('a crash', () => {
  beforeEach(open);

  test('loses no manual ban, lift or reset', async () => {
    await admit('a');
    await store.ban('a', MINUTE);
    await store.ban('lifted', MINUTE);
    await store.lift('lifted');
    await admit('reset');
    await store.reset('reset');
    await crash();
    expect(await inspect('a')).toMatchObject({ ban: { until: now + MINUTE }, minute: { used: 1 } });
    expect(await inspect('lifted')).toMatchObject({ ban: null });
    expect(await inspect('reset')).toMatchObject({ minute: { used: 0 } });
  });

  test('loses no automatic ban', async () => {
    await earnStrikes(10);
    await crash();
    expect(await inspect()).toMatchObject({ ban: { until: now + MINUTE, level: 1 }, minute: { used: 5 } });
  });

  test('by kill -9 loses only the latest counts', async () => {
    database.close();
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../../support/models/admitting-child.ts'), file, `${now}`],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const seen: { admitted: number; at: number }[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      seen.push({ admitted: Number(line), at: performance.now() });
      if (seen.at(-1)!.at - seen[0]!.at > 5 * SECOND) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const killed = seen.at(-1)!.at;

    await open();
    // Counts are written every second, but a busy machine may be late.
    const kept = seen.findLast(({ at }) => at <= killed - 4 * SECOND)!;
    expect(kept.admitted).toBeGreaterThan(0);
    expect((await inspect('busy')).day.used).toBeGreaterThanOrEqual(kept.admitted);
    expect((await inspect('banned')).ban).toMatchObject({ until: now + MINUTE, manual: true });
  });
});

describe('checkpoints', () => {
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
    await open();
  });

  /** Makes every write to the table fail, as a full disk does, until it is called with false. */
  function failWrites(fail: boolean): void {
    for (const event of ['INSERT', 'DELETE']) {
      if (!fail) database.sqlite.exec(`DROP TRIGGER fail_${event}`);
      else
        database.sqlite.exec(
          `CREATE TEMP TRIGGER fail_${event} BEFORE ${event} ON quotas BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
        );
    }
  }

  test('are written within a second of a change, and only after a change', async () => {
    expect(jest.getTimerCount()).toBe(0);
    await admit();
    await admit('b');
    expect(rows()).toBe(0);
    jest.advanceTimersByTime(SECOND);
    expect(rows()).toBe(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('split many quotas into batches, with requests in between', async () => {
    for (let i = 0; i < 2500; i++) await admit(`quota ${i}`);
    jest.advanceTimersByTime(800);
    expect(rows()).toBe(1000);
    jest.advanceTimersByTime(SECOND);
    expect(rows()).toBe(2500);
  });

  /** Counts the writes of each quota from now on. */
  function countWrites(): () => number[] {
    database.sqlite.exec(`CREATE TEMP TABLE writes (quota_id TEXT);
      CREATE TEMP TRIGGER count_writes BEFORE INSERT ON quotas BEGIN INSERT INTO writes VALUES (NEW.quota_id); END`);
    const select = database.sqlite.prepare('SELECT count(*) AS written FROM writes GROUP BY quota_id');
    return () => select.all().map(({ written }) => Number(written));
  }

  test('write a state in continuous use about once a second', async () => {
    const writes = countWrites();
    for (let ms = 0; ms < 20 * SECOND; ms += 100) {
      await admit();
      jest.advanceTimersByTime(100);
    }
    expect(writes()).toHaveLength(1);
    expect(writes()[0]).toBeGreaterThanOrEqual(20);
    expect(writes()[0]).toBeLessThanOrEqual(26);
  });

  // With more than one batch to write, states that changed after they had been written were written again in the same
  // pass, up to once per batch.
  test('write each state once per pass, however often it changes during the pass', async () => {
    // In table order, which is the order of a pass.
    const quotas = Array.from({ length: 4500 }, (_, index) => `quota ${index + 1000}`);
    for (const quotaId of quotas) await admit(quotaId);
    const writes = countWrites();
    jest.advanceTimersByTime(800);
    for (let batch = 1; batch < 5; batch++) {
      // The first quotas have been written by now, the last have not.
      for (const quotaId of [...quotas.slice(0, 10), ...quotas.slice(-10)]) await admit(quotaId);
      jest.advanceTimersByTime(1);
    }
    expect(writes()).toEqual(quotas.map(() => 1));
    jest.advanceTimersByTime(SECOND);
    expect(writes().filter((count) => count === 2)).toHaveLength(10);
    await crash();
    expect(await inspect(quotas[0])).toMatchObject({ day: { used: 5 } });
    expect(await inspect(quotas.at(-1))).toMatchObject({ day: { used: 5 } });
  });

  test('start earlier if writing is slow, so that they end within the second', async () => {
    passMs = 200;
    await admit();
    jest.advanceTimersByTime(800);
    await admit('b');
    jest.advanceTimersByTime(599);
    expect(rows()).toBe(1);
    jest.advanceTimersByTime(1);
    expect(rows()).toBe(2);
  });

  test('write immediately what became due while the previous pass failed', async () => {
    await admit();
    failWrites(true);
    jest.advanceTimersByTime(800);
    await admit('b');
    jest.advanceTimersByTime(900);
    failWrites(false);
    jest.advanceTimersByTime(110);
    expect(rows()).toBe(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('use one timer, even if a ban causes everything that was waiting to be written at once', async () => {
    for (let time = 0; time < 3; time++) {
      await admit();
      await store.ban('a', MINUTE);
      await store.lift('a');
    }
    expect(jest.getTimerCount()).toBe(1);
    await store.close();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('report and retry failed writes, while requests continue', async () => {
    failWrites(true);
    await admit();
    jest.advanceTimersByTime(SECOND);
    expect(errors).toEqual([expect.objectContaining({ message: 'disk full' })]);
    expect(await admit()).toMatchObject({ admitted: true, minute: { used: 2 } });
    failWrites(false);
    jest.advanceTimersByTime(2 * SECOND);
    expect(errors).toHaveLength(1);
    await crash();
    expect(await inspect()).toMatchObject({ minute: { used: 2 } });
  });

  test('do not touch an open transaction of another caller', async () => {
    database.sqlite.exec('BEGIN; CREATE TABLE other (id INTEGER)');
    await admit();
    jest.advanceTimersByTime(SECOND);
    expect(errors).toHaveLength(1);
    database.sqlite.exec('COMMIT');
    jest.advanceTimersByTime(2 * SECOND);
    expect(rows()).toBe(1);
  });

  test('delete expired states', async () => {
    await admit();
    jest.advanceTimersByTime(SECOND);
    now += DAY;
    for (const quotaId of ['b', 'c', 'd']) await admit(quotaId);
    jest.advanceTimersByTime(SECOND);
    expect(rows()).toBe(3);
  });

  test('a ban, lift or reset that cannot be written is refused and not applied', async () => {
    await admit();
    await store.ban('b', MINUTE);
    failWrites(true);
    await expect(async () => store.ban('a', MINUTE)).rejects.toThrow(StoreUnavailable);
    await expect(async () => store.reset('a')).rejects.toThrow(StoreUnavailable);
    await expect(async () => store.lift('b')).rejects.toThrow(StoreUnavailable);
    expect(await inspect()).toMatchObject({ ban: null, minute: { used: 1 } });
    expect(await inspect('b')).toMatchObject({ ban: { manual: true } });
    expect(errors).toHaveLength(3);
  });

  test('an automatic ban that cannot be written applies, and is written later', async () => {
    failWrites(true);
    await earnStrikes(10);
    expect(await inspect()).toMatchObject({ ban: { level: 1 } });
    failWrites(false);
    jest.advanceTimersByTime(2 * SECOND);
    await crash();
    expect(await inspect()).toMatchObject({ ban: { level: 1 } });
  });

  test('closing reports an error if the last counters could not be written, and starts no timer', async () => {
    failWrites(true);
    await admit();
    await expect(store.close()).rejects.toThrow(StoreUnavailable);
    await admit();
    expect(jest.getTimerCount()).toBe(0);
  });
});
