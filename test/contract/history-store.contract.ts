import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findBucket, packCount } from '../../src/control-plane/history/store/duration-buckets.ts';
import {
  type Chunk,
  type HistoryStore,
  MAX_COUNTED_OPERATIONS,
  type UsageRow,
  type ViolationRow,
  type ViolationsQuery,
} from '../../src/control-plane/history/store/history-store.ts';
import { Recorder } from '../../src/control-plane/history/recording/recorder.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { type HistoryDatabase, logger } from '../support/history/history-database.ts';
import { findDifferences, type HistoryEvent, HistoryModel, readStoredSums } from '../support/history/history-model.ts';
import { free, createNewKey } from '../support/registry-data.ts';

/** The last minute of a day, of a month and of a year. */
const AT = Date.UTC(2025, 11, 31, 23, 59);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const TABLES = [
  'usage_minutes',
  'usage_hours',
  'usage_days',
  'usage_months',
  'audience',
  'refusals',
  'repeated_refusals',
  'violations',
  'violation_days',
];

function row(over: Partial<UsageRow> = {}): UsageRow {
  return {
    minute: AT,
    keyId: 'key_a',
    operation: 'listPets',
    outcome: 'served',
    statusClass: 2,
    requests: 1,
    units: 1,
    refusedUnits: 0,
    durations: [packCount(findBucket(5), 1)],
    firstAt: AT,
    lastAt: AT,
    ...over,
  };
}

/** Creates a row of requests of one key that did not fit the document, in the hour of `AT`. */
function violation(over: Partial<ViolationRow> = {}): ViolationRow {
  return {
    keyId: 'key_a',
    operation: 'listPets',
    kind: 'document',
    hour: AT - (AT % HOUR),
    rule: null,
    requests: 1,
    refused: 0,
    firstAt: AT,
    lastAt: AT,
    ...over,
  };
}

/** Declares the requirements for every history store. */
export function historyStoreContract(name: string, makeDatabase: () => Promise<HistoryDatabase>): void {
  describe(`with ${name},`, () => {
    let database: HistoryDatabase;
    let store: HistoryStore;
    beforeEach(async () => {
      database = await makeDatabase();
      store = await database.open();
    });
    afterEach(async () => {
      await store.close();
      await database.dispose();
    });

    const write = (sequence: number, rows: UsageRow[], writer = 'gateway') => store.write({ writer, sequence, rows });
    /** Counts the requests of individual keys. It reads the totals over all operations, if the table has them. */
    const requestsIn = async (table: string, where = 'key_no <> 1') => {
      const isWhole = table === 'usage_hours' || table === 'usage_days' ? 'operation_no = 1' : 'operation_no <> 1';
      const [sum] = await database.rows(
        `SELECT coalesce(sum(requests), 0) AS sum FROM ${table} WHERE ${isWhole} AND ${where}`,
      );
      return Number(sum?.['sum']);
    };
    const countIn = async (table: string) => {
      const [count] = await database.rows(`SELECT count(*) AS count FROM ${table}`);
      return Number(count?.['count']);
    };

    describe('a chunk of counts', () => {
      test('is added to every resolution, the totals, the month and the callers', async () => {
        await write(1, [row(), row({ minute: AT + MINUTE, firstAt: AT + MINUTE, lastAt: AT + MINUTE })]);
        expect(await requestsIn('usage_minutes')).toBe(2);
        const figures = [...(await readStoredSums(database))].filter(([line]) =>
          /requests|d\d+$|first|last/.test(line),
        );
        const [hour, day] = [AT + MINUTE - HOUR, AT + MINUTE - DAY];
        const next = AT + MINUTE;
        const starts = { minute: [AT, next], hour: [hour, next], day: [day, next] };
        const rows = Object.entries(starts).flatMap(([every, times]) =>
          times.flatMap((at) =>
            ['key_a', '*'].flatMap((key) => {
              const detailed = `${every} ${at} ${key} listPets served requests`;
              return every === 'minute' ? [detailed] : [detailed, `${every} ${at} ${key} * * requests`];
            }),
          ),
        );
        expect(Object.fromEntries(figures)).toEqual({
          ...Object.fromEntries(rows.map((line) => [line, 1])),
          [`month ${Date.UTC(2025, 11)} key_a d31`]: 1,
          [`month ${Date.UTC(2026, 0)} key_a d1`]: 1,
          'audience listPets key_a requests': 2,
          'audience listPets key_a first': AT,
          'audience listPets key_a last': AT + MINUTE,
        });
      });

      test('counts only once, even if it is written several times', async () => {
        await write(1, [row({ requests: 3 })]);
        await write(2, [row({ requests: 4 })]);
        await write(2, [row({ requests: 4 })]);
        await write(1, [row({ requests: 3 })]);
        expect(await requestsIn('usage_minutes')).toBe(7);
        expect(await requestsIn('audience')).toBe(7);
        await store.close();
        store = await database.open();
        await write(2, [row({ requests: 4 })]);
        await write(2, [row({ requests: 1 })], 'another gateway');
        expect(await requestsIn('usage_days')).toBe(8);
      });

      test('counts only once if it is written several times at the same moment', async () => {
        await Promise.all(Array.from({ length: 5 }, () => write(1, [row()])));
        expect(await requestsIn('usage_hours')).toBe(1);
      });

      test('can have any names of operations, or none', async () => {
        const strange = `{"it's", \\ NULL, $1}\n€𝄞`;
        await write(1, [row({ operation: strange }), row({ keyId: null, operation: null, outcome: 'key_missing' })]);
        const sums = await readStoredSums(database);
        expect(sums.get(`day ${AT + MINUTE - DAY} key_a ${strange} served requests`)).toBe(1);
        expect(sums.get(`day ${AT + MINUTE - DAY}   key_missing requests`)).toBe(1);
        expect(await countIn('audience')).toBe(1);
      });

      test('from concurrent writers is added completely, even to the same rows', async () => {
        const stores = name === 'PostgreSQL' ? [store, await database.open(), await database.open()] : [store];
        const rows = Array.from({ length: 100 }, (_, index) => row({ keyId: `key_${index}` }));
        const writes = stores.flatMap((one, index) =>
          Array.from({ length: 10 }, (_, writer) => {
            const chunk = { writer: `${index}-${writer}`, sequence: 1, rows: rows.toSorted(() => Math.random() - 0.5) };
            return one.write(chunk);
          }),
        );
        await Promise.all(writes);
        expect(await requestsIn('usage_days')).toBe(1000 * stores.length);
        expect(await requestsIn('usage_days', 'key_no = 1')).toBe(1000 * stores.length);
        await Promise.all(stores.slice(1).map((one) => one.close()));
      });
    });

    /** Rows without the column were written before it existed, and are still written during a rolling update. */
    test('rows without counts of client errors are kept, and can be added to', async () => {
      await write(1, [row()]);
      const numbers = await database.rows(`SELECT no FROM history_names WHERE name = 'key_a'`);
      const no = Number(numbers[0]?.['no']);
      const noDurations = name === 'PostgreSQL' ? `'{}'` : `x''`;
      for (const table of ['usage_minutes', 'usage_hours', 'usage_days']) {
        await database.rows(`INSERT INTO ${table}
          (key_no, at, operation_no, outcome_no, requests, refused, errors, units, refused_units, durations)
          VALUES (${no}, ${AT - DAY}, 0, 0, 5, 0, 0, 5, 0, ${noDurations})`);
      }
      await write(2, [row({ statusClass: 4, requests: 3 }), row({ outcome: 'quota_exceeded', statusClass: 4 })]);
      const query = { from: AT - 2 * DAY, to: AT + MINUTE, every: 'minute', key: 'key_a', limit: 10, now: AT } as const;
      const [all] = (await store.usage({ ...query, now: AT + MINUTE })).series;
      expect(all?.points).toMatchObject([
        { at: AT - DAY, requests: 5, clientErrors: 0 },
        { at: AT, requests: 5, refused: 1, errors: 0, clientErrors: 3 },
      ]);
    });

    /** This is the central guarantee: the stored counts equal the recorded requests, whatever happens in between. */
    test('the history is exact even if flushes are late, repeated and out of order', async () => {
      const gateway = fc.integer({ min: 0, max: 2 });
      const event = fc.record({
        at: fc
          .tuple(fc.constantFrom(-DAY, -HOUR, -MINUTE, 0, MINUTE), fc.nat(MINUTE - 1))
          .map(([minute, ms]) => AT + minute + ms),
        key: fc.constantFrom(null, 'key_a', 'key_b', 'key_c'),
        operation: fc.constantFrom(null, 'listPets', 'getPet'),
        outcome: fc.constantFrom('served', 'quota_exceeded', 'store_unavailable'),
        statusClass: fc.integer({ min: 0, max: 5 }),
        units: fc.integer({ min: 0, max: 3 }),
        refusedUnits: fc.integer({ min: 0, max: 3 }),
        durationMs: fc.double({ min: 0, max: 1_000_000, noNaN: true }),
      });
      const step = fc.oneof(
        { weight: 6, arbitrary: fc.record({ kind: fc.constant('events'), gateway, events: fc.array(event) }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('seal'), gateway }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver'), gateway }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat'), gateway, which: fc.nat() }) },
      );
      let run = 0;
      const property = fc.asyncProperty(fc.array(step as fc.Arbitrary<Step>, { maxLength: 30 }), async (steps) => {
        for (const table of TABLES) await database.rows(`DELETE FROM ${table}`);
        const model = new HistoryModel();
        const gateways = Array.from({ length: 3 }, (_, index) => new Sender(`${run}-${index}`, store));
        run++;
        for (const { kind, gateway, events = [], which = 0 } of steps) {
          const sender = gateways[gateway]!;
          if (kind === 'events') {
            for (const one of events) {
              sender.record(one);
              model.add(one);
            }
          } else if (kind === 'seal') sender.seal();
          else if (kind === 'deliver') await sender.deliver();
          else await sender.repeat(which);
        }
        for (const sender of gateways) await sender.finish();
        expect(findDifferences(model.sums(), await readStoredSums(database))).toEqual([]);
      });
      await fc.assert(property, { numRuns: 20 });
    });

    describe('pruning the history', () => {
      test('deletes old rows of each resolution, and nothing else', async () => {
        const ages = [0, 47 * HOUR, 49 * HOUR, 89 * DAY, 91 * DAY, 729 * DAY, 800 * DAY];
        await write(
          1,
          ages.map((age) => row({ minute: AT - age, firstAt: AT - age, lastAt: AT - age })),
        );
        const [recent, old] = [refusal('new', AT), refusal('old', AT - 49 * HOUR)];
        await store.keepRefusals([recent, old], [repeated('again', recent), repeated('again', old)]);
        expect(await store.prune(AT)).toBeGreaterThan(0);
        expect(await countIn('usage_minutes')).toBe(2 * 2);
        expect(await countIn('usage_hours')).toBe(4 * 4);
        expect(await countIn('usage_days')).toBe(6 * 4);
        expect(await countIn('refusals')).toBe(1);
        expect(await countIn('repeated_refusals')).toBe(1);
        expect(await countIn('audience')).toBe(1);
        expect(await store.prune(AT)).toBe(0);
      });

      test('reads the tables of hours and days only once a day', async () => {
        await store.prune(AT - HOUR);
        const minute = AT - 91 * DAY;
        await write(1, [row({ minute, firstAt: minute, lastAt: minute })]);
        const late = await countIn('usage_hours');
        expect(late).toBeGreaterThan(0);
        await store.prune(AT);
        expect(await countIn('usage_hours')).toBe(late);
        await store.prune(AT + HOUR);
        expect(await countIn('usage_hours')).toBe(0);
      });
    });

    describe('deleting the history of an owner', () => {
      test('deletes all rows of its keys, but no totals and no rows of other owners', async () => {
        const registry = new Registry(database.records);
        const change = { actor: 'test', reason: null, at: 1 };
        await registry.seedPlans([free], change);
        const [one, two, silent] = [
          createNewKey({ owner: 'gone' }),
          createNewKey({ owner: 'gone' }),
          createNewKey({ owner: 'gone' }),
        ];
        const other = createNewKey({ owner: 'stays' });
        await registry.createKeys([one, two, silent, other], change);
        const rows = [one, two, other].flatMap(({ id: keyId }) => [row({ keyId }), row({ keyId, minute: AT - DAY })]);
        await write(1, rows);
        const refusals = [refusal('a', AT, one.id), refusal('b', AT, other.id)];
        await store.keepRefusals(
          refusals,
          refusals.map((each) => repeated('again', each)),
        );

        // Each of two keys has rows for 2 minutes, 2 × 2 hours, 2 × 2 days, 1 month and 1 operation. The refusal has
        // one row, and its repetition another.
        expect(await store.deleteOwner('gone')).toEqual({ keys: 3, rows: 2 * 12 + 2 });
        const lines = [...(await readStoredSums(database)).keys()];
        expect(lines.filter((line) => line.includes(one.id) || line.includes(two.id))).toEqual([]);
        expect(lines.filter((line) => line.includes(other.id))).not.toEqual([]);
        expect(await requestsIn('usage_days', 'key_no = 1')).toBe(6);
        expect(await countIn('refusals')).toBe(1);
        expect(await countIn('repeated_refusals')).toBe(1);
        expect(await store.deleteOwner('gone')).toEqual({ keys: 3, rows: 0 });
        expect(await store.deleteOwner('nobody')).toEqual({ keys: 0, rows: 0 });
      });
    });

    describe('requests that do not fit the document', () => {
      const add = (sequence: number, violations: ViolationRow[]) =>
        store.write({ writer: 'gateway', sequence, rows: [], violations });
      const query = { operations: ['listPets'], kind: 'document', from: 0, to: AT + DAY, limit: 10 } as const;
      const countBy = async (by: ViolationsQuery['by'], more: object = {}) =>
        (await store.violations({ ...query, by, ...more })).items.map(({ group, requests }) => [group, requests]);

      test('are counted by key, owner and rule, and each chunk counts once', async () => {
        const registry = new Registry(database.records);
        const change = { actor: 'test', reason: null, at: 1 };
        await registry.seedPlans([free], change);
        const key = createNewKey({ owner: 'acme', validation: 'report' });
        await registry.createKeys([key], change);
        const known = { keyId: key.id, requests: 3, refused: 2 };
        const rows = [
          violation(known),
          violation({ ...known, rule: 'required /name' }),
          violation({ ...known, requests: 1, rule: 'type /age' }),
          violation({ keyId: null }),
          violation({ keyId: null, kind: 'candidate', rule: 'operation_removed ' }),
          violation({ kind: 'unchecked', rule: 'too_long', requests: 5 }),
        ];
        await add(1, rows);
        await add(1, rows);
        await add(2, [violation({ ...known, firstAt: AT - 1, lastAt: AT + 1 })]);

        const { items, nextCursor, unchecked } = await store.violations({ ...query, by: 'key' });
        const figures = { requests: 6, refused: 4, firstAt: AT - 1, lastAt: AT + 1 };
        expect(items).toEqual([
          {
            group: key.id,
            rule: null,
            ...figures,
            owner: 'acme',
            plan: 'free',
            keys: 1,
            exemptKeys: 1,
            owners: 1,
            rules: 2,
            topRules: [
              { rule: 'required /name', requests: 3 },
              { rule: 'type /age', requests: 1 },
            ],
          },
          expect.objectContaining({ group: null, requests: 1, refused: 0, owner: null, plan: null }),
        ]);
        expect(nextCursor).toBeNull();
        expect(unchecked).toEqual([{ reason: 'too_long', requests: 5, refused: 0, firstAt: AT, lastAt: AT }]);
        expect(await countBy('owner')).toEqual([
          ['acme', 6],
          [null, 1],
        ]);
        const rules = [
          ['required /name', 3],
          ['type /age', 1],
        ];
        expect(await countBy('rule')).toEqual(rules);
        expect(await countBy('rule', { key: key.id })).toEqual(rules);
        expect(await countBy('rule', { owner: 'nobody' })).toEqual([]);
        expect(await countBy('rule', { kind: 'candidate' })).toEqual([['operation_removed ', 1]]);
        expect(await countBy('key', { to: AT - DAY })).toEqual([]);
        expect(await countBy('key', { operations: ['unknown'] })).toEqual([]);
        expect(await countBy('rule', { chainOf: key.id })).toEqual(rules);
        expect(await countBy('rule', { chainOf: 'key_b' })).toEqual([]);

        await add(3, [
          violation({ ...known, operation: 'addPet', rule: 'required /name' }),
          violation({ ...known, operation: 'addPet' }),
        ]);
        const several = { operations: ['listPets', 'addPet'] };
        expect(await countBy('operation', several)).toEqual([
          ['listPets', 7],
          ['addPet', 3],
        ]);
        const byRule = await store.violations({ ...query, ...several, by: 'operationRule', owner: 'acme' });
        expect(byRule.items.map(({ group, rule, requests }) => [group, rule, requests])).toEqual([
          ['addPet', 'required /name', 3],
          ['listPets', 'required /name', 3],
          ['listPets', 'type /age', 1],
        ]);
      });

      test.each(['key', 'owner', 'rule', 'operation', 'operationRule'] as const)(
        'are listed in pages when they are grouped by %s',
        async (by) => {
          const letters = ['a', 'b', 'c', 'd', 'e'];
          await add(
            1,
            letters.flatMap((letter, index) => [
              violation({ keyId: letter, requests: index % 2 }),
              violation({ keyId: letter, requests: index % 2, rule: letter }),
            ]),
          );
          const all = await countBy(by);
          expect(all).toHaveLength(by === 'owner' || by === 'operation' ? 1 : letters.length);
          const paged: unknown[] = [];
          for (let cursor: string | null | undefined; cursor !== null;) {
            const page = await store.violations({
              ...query,
              by,
              limit: 2,
              ...(cursor === undefined ? {} : { cursor }),
            });
            paged.push(...page.items.map(({ group, requests }) => [group, requests]));
            cursor = page.nextCursor;
          }
          expect(paged).toEqual(all);
        },
      );

      test('of several operations are counted exactly for periods that begin and end within a day', async () => {
        const hours = [-49, -48, -30, -24, -1, 0].map((hours) => AT - (AT % HOUR) + hours * HOUR);
        const rows = hours.flatMap((hour, index) =>
          ['listPets', 'addPet'].flatMap((operation) => {
            const figures = { operation, hour, requests: 2 ** index, refused: 1, firstAt: hour + 1, lastAt: hour + 2 };
            const keyId = index % 2 === 0 ? null : `key_${index}`;
            return [violation({ ...figures, keyId }), violation({ ...figures, keyId, rule: 'type /age' })];
          }),
        );
        await add(1, rows.slice(0, 10));
        await add(2, rows.slice(10));
        await add(3, [violation({ kind: 'unchecked', rule: 'too_long', hour: AT - DAY, requests: 7 })]);
        const start = hours[0]!;
        const several = { operations: ['addPet', 'listPets', 'unknown'], by: 'operation' } as const;
        const list = async (more: Partial<ViolationsQuery>) => {
          const { items } = await store.violations({ ...query, ...several, ...more });
          return items.toSorted((a, b) => String(a.group).localeCompare(String(b.group)));
        };
        for (let from = start; from < AT; from += 13 * HOUR) {
          for (let to = from + HOUR; to < AT + 2 * HOUR; to += 11 * HOUR) {
            const counted = [...hours.entries()].filter(([, hour]) => hour >= from && hour < to);
            const keys = counted.filter(([index]) => index % 2 === 1).length;
            const sum = counted.reduce((total, [index]) => total + 2 ** index, 0);
            const times = { firstAt: (counted[0]?.[1] ?? 0) + 1, lastAt: (counted.at(-1)?.[1] ?? 0) + 2 };
            const figures = { requests: sum, refused: counted.length, keys, ...times };
            const expected = counted.length === 0 ? [] : ['addPet', 'listPets'].map((group) => ({ group, ...figures }));
            expect(await list({ from, to })).toMatchObject(expected);
            const byRule = await list({ by: 'operationRule', from, to });
            expect(byRule).toMatchObject(expected.map((each) => ({ ...each, rule: 'type /age' })));
          }
        }
        expect((await store.violations({ ...query, ...several })).unchecked).toMatchObject([{ requests: 7 }]);
        const long = await store.violations({ ...query, ...several, limit: MAX_COUNTED_OPERATIONS + 1 });
        expect(long).toMatchObject({ items: [{ requests: 63 }, { requests: 63 }], hasKeys: false });
      });

      test('of several operations include those from before sums by day were stored', async () => {
        const days = [AT - 2 * DAY, AT - DAY].map((hour) => ({ hour, firstAt: hour, lastAt: hour + 1 }));
        const rows = days.flatMap((times) => [
          violation({ ...times, keyId: 'key_a', requests: 2, refused: 1 }),
          violation({ ...times, keyId: 'key_b', requests: 3 }),
          violation({ ...times, keyId: 'key_b', requests: 3, rule: 'type /age' }),
          violation({ ...times, operation: 'addPet', kind: 'unchecked', rule: 'too_long' }),
        ]);
        await add(1, rows);
        const readSums = () =>
          database.rows('SELECT * FROM violation_days ORDER BY operation_no, kind, rule_no, at, requests');
        const before = await readSums();
        expect(before).toHaveLength(3 * days.length);
        await store.close();
        await database.rows('DROP TABLE violation_days');
        const isPostgres = database.location.kind === 'postgres';
        if (isPostgres) await database.rows("DELETE FROM additive_migrations WHERE name = '0033 validation by day'");
        for (let start = 1; start <= 2; start++) {
          // The history of SQLite has a file of its own, with its own migrations.
          if (isPostgres) await (await openDatabase(database.location, logger)).close();
          store = await database.open();
          expect(await readSums()).toEqual(before);
          const several = { ...query, operations: ['addPet', 'listPets'], by: 'operation' } as const;
          expect(await store.violations(several)).toMatchObject({
            items: [
              { group: 'listPets', requests: 10, refused: 2, keys: 2, firstAt: AT - 2 * DAY, lastAt: AT - DAY + 1 },
            ],
            unchecked: [{ reason: 'too_long', requests: 2 }],
          });
          if (start === 1) await store.close();
        }
      });

      test('are deleted with their key, and otherwise kept as long as hourly counts', async () => {
        const old = { hour: AT - 92 * DAY, firstAt: AT - 92 * DAY, lastAt: AT - 92 * DAY };
        await add(1, [violation(), violation({ rule: 'type /age' }), violation({ keyId: 'key_b' }), violation(old)]);
        await store.prune(AT);
        expect(await countIn('violations')).toBe(3);
        expect(await countIn('violation_days')).toBe(2);
        expect(await store.forgetUnused(['key_a', 'key_c'], AT)).toEqual(['key_c']);
        expect(await store.deleteKeys(['key_a'])).toBe(2);
        expect(await countBy('key')).toEqual([['key_b', 1]]);
        // Sums over all keys identify no one.
        const several = { ...query, operations: ['addPet', 'listPets'], by: 'operation' } as const;
        expect((await store.violations(several)).items).toMatchObject([{ requests: 2, keys: 1 }]);
        expect(await store.forgetUnused(['key_a'], AT)).toEqual(['key_a']);
      });
    });

    test('a refusal is stored only once, and different callers may use the same request id', async () => {
      await store.keepRefusals([refusal('same', AT), refusal('same', AT + 1), refusal('other', AT)]);
      await store.keepRefusals([refusal('same', AT), { ...refusal('same', AT), quotaId: 'key_b' }]);
      await store.keepRefusals([]);
      expect(await countIn('refusals')).toBe(4);
    });

    test('the request id of a refusal that was not stored leads to a stored one of the same quota', async () => {
      const [mine, theirs] = [refusal('mine', AT), refusal('theirs', AT + 1, 'key_b')];
      await store.keepRefusals([mine, theirs], [repeated('again', mine), repeated('again', theirs)]);
      await store.keepRefusals([refusal('later', AT + 2)], [repeated('again', mine), repeated('mine', theirs)]);
      await store.keepRefusals([], [repeated('later still', refusal('later', AT + 2))]);
      const listIds = async (requestId: string, quotaId?: string) =>
        (await store.findRefusals(requestId, quotaId)).map((found) => found.requestId);
      expect(await listIds('again')).toEqual(['theirs', 'mine']);
      expect(await listIds('again', 'key_a')).toEqual(['mine']);
      expect(await listIds('mine')).toEqual(['theirs', 'mine']);
      expect(await listIds('later still')).toEqual(['later']);
      expect(await listIds('again', 'key_c')).toEqual([]);
      expect(await countIn('repeated_refusals')).toBe(4);
    });
  });
}

function refusal(requestId: string, at: number, keyId = 'key_a') {
  return { requestId, quotaId: keyId, keyId, at, facts: { used: 60 } };
}

function repeated(requestId: string, { requestId: storedId, keyId, at }: ReturnType<typeof refusal>) {
  return { requestId, keyId, storedId, at };
}

interface Step {
  readonly kind: 'events' | 'seal' | 'deliver' | 'repeat';
  readonly gateway: number;
  readonly events?: readonly HistoryEvent[];
  readonly which?: number;
}

/** A gateway whose flushes the test controls. */
class Sender {
  readonly #store: HistoryStore;
  readonly #writer: string;
  readonly #recorder: Recorder;
  readonly #sealed: Chunk[] = [];
  #delivered = 0;
  #now = 0;

  constructor(writer: string, store: HistoryStore) {
    this.#writer = writer;
    this.#store = store;
    this.#recorder = new Recorder(() => this.#now);
  }

  record(event: HistoryEvent): void {
    this.#now = event.at;
    const { key, operation, outcome, statusClass, units, refusedUnits, durationMs } = event;
    this.#recorder.record(key, operation, outcome, statusClass, units, refusedUnits, durationMs);
  }

  seal(): void {
    this.#recorder.closeMinute();
    for (let rows = this.#recorder.take(7); rows.length > 0; rows = this.#recorder.take(7)) {
      this.#sealed.push({ writer: this.#writer, sequence: this.#sealed.length + 1, rows });
    }
  }

  async deliver(): Promise<void> {
    const chunk = this.#sealed[this.#delivered];
    if (chunk === undefined) return;
    await this.#store.write(chunk);
    this.#delivered++;
  }

  async repeat(which: number): Promise<void> {
    const chunk = this.#sealed[which % Math.max(1, this.#delivered)];
    if (this.#delivered > 0 && chunk !== undefined) await this.#store.write(chunk);
  }

  async finish(): Promise<void> {
    this.seal();
    while (this.#delivered < this.#sealed.length) await this.deliver();
  }
}
