/** Compares the callers of operations, the previews of limits, and the context of refusals with a plain count. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  HistoryStore,
  Caller,
  ListedRefusal,
  PreviewReport,
  RecentRefusalsQuery,
  RefusalRecord,
} from '../../src/control-plane/history/store/history-store.ts';
import type { Limits } from '../../src/domain/quota-limits.ts';
import type { NewKey } from '../../src/control-plane/registry/key.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { type HistoryDatabase, keep } from '../support/history/history-database.ts';
import type { HistoryEvent } from '../support/history/history-model.ts';
import { addCounts } from '../support/history/counts.ts';
import { LENGTH_MS } from '../support/history/plain-count.ts';
import { NOW, sampleEvents, writeEvents } from '../support/history/sample.ts';
import { enterprise, free, createNewKey, pro } from '../support/registry-data.ts';

const { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } = LENGTH_MS;
const startOfMinute = (at: number) => at - (at % MINUTE_MS);
const change = { actor: 'test', reason: null, at: 1 };

export function historyReadingContract(name: string, makeDatabase: () => Promise<HistoryDatabase>): void {
  describe(`with ${name},`, () => {
    let database: HistoryDatabase;
    let history: HistoryStore;
    let keys: NewKey[];
    let events: HistoryEvent[];

    beforeAll(async () => {
      database = await makeDatabase();
      history = await database.open();
      keys = Array.from({ length: 8 }, (_, index) =>
        createNewKey({ owner: `owner ${index}`, plan: index < 5 ? 'free' : 'pro' }),
      );
      keys.push(
        createNewKey({ plan: 'free', status: 'revoked' }),
        createNewKey({ plan: 'enterprise', limits: pro.limits }),
      );
      const registry = new Registry(database.records);
      await registry.seedPlans([free, pro, enterprise], change);
      await registry.createKeys(keys, change);
      const ids = keys.map(({ id }) => id);
      events = sampleEvents(ids, 3000);
      await writeEvents(history, 'a gateway', events);
    });
    afterAll(async () => {
      await history.close();
      await database.dispose();
    });

    test('the callers of several operations since an hour are counted in total and per operation', async () => {
      const operations = ['listPets', 'placeOrder', 'never called'];
      const from = NOW - 26 * HOUR_MS - (NOW % HOUR_MS);
      const called = events.filter(({ at, operation }) => at >= from && operations.includes(String(operation)));
      const findOwner = (key: string) => keys.find(({ id }) => id === key)?.owner ?? null;
      const countOwners = (ids: Iterable<string>) =>
        new Set([...ids].map(findOwner).filter((each) => each !== null)).size;
      const expected = [...Map.groupBy(called, ({ operation }) => String(operation))].map(([operation, calls]) => {
        const byKey = new Map<string, number>();
        for (const { key, at } of calls) if (key !== null) byKey.set(key, Math.max(at, byKey.get(key) ?? 0));
        const top = [...byKey]
          .toSorted(([, one], [, other]) => other - one)
          .map(([key, lastAt]) => ({ key, owner: findOwner(key), lastAt }));
        const figures = { keys: byKey.size, owners: countOwners(byKey.keys()), requests: calls.length };
        return [operation, { ...figures, lastAt: top[0]?.lastAt ?? null, top: top.slice(0, 5) }] as const;
      });
      const allKeys = new Set(called.flatMap(({ key }) => key ?? []));
      expect(expected).toHaveLength(2);
      expect(await history.audience({ operations, from })).toEqual({
        keys: allKeys.size,
        owners: countOwners(allKeys),
        operations: new Map(expected),
      });
      const nothing = { keys: 0, owners: 0, operations: new Map() };
      expect(await history.audience({ operations: ['never called'], from })).toEqual(nothing);
      expect(await history.audience({ operations: ['listPets'], from: NOW + HOUR_MS })).toEqual(nothing);
    });

    describe('the callers of an operation', () => {
      const listCallers = (operation: string): Caller[] => {
        const called = events.filter((event) => event.operation === operation && event.key !== null);
        const callers = [...Map.groupBy(called, ({ key }) => String(key))].map(([key, calls]) => {
          const times = calls.map(({ at }) => at);
          const { owner = null, plan = null } = keys.find(({ id }) => id === key) ?? {};
          const [firstAt, lastAt] = [Math.min(...times), Math.max(...times)];
          return { key, owner, plan, firstAt, lastAt, requests: calls.length };
        });
        return callers.toSorted((a, b) => b.lastAt - a.lastAt);
      };

      test.each(['listPets', 'placeOrder'])(
        'such as %s are listed newest first, in pages of any length',
        async (operation) => {
          const expected = listCallers(operation);
          expect(expected.length).toBeGreaterThan(5);
          for (const limit of [1, 4, expected.length, 100]) {
            const found: Caller[] = [];
            let cursor: string | undefined;
            do {
              const page = await history.callers({ operation, limit, ...(cursor === undefined ? {} : { cursor }) });
              expect(page.items.length).toBeLessThanOrEqual(limit);
              found.push(...page.items);
              cursor = page.nextCursor ?? undefined;
            } while (cursor !== undefined);
            expect(found).toEqual(expected);
          }
        },
      );

      test('are an empty list for an operation without calls or with an unknown name', async () => {
        for (const operation of ['petById', 'served', '*', '']) {
          expect(await history.callers({ operation, limit: 10 })).toEqual({ items: [], nextCursor: null });
        }
      });

      test('that belong to an owner are listed for several operations at once', async () => {
        const owner = 'owner 3';
        const calls = await history.calls({ operations: ['listPets', 'placeOrder', 'petById'], owner });
        const expected = ['listPets', 'placeOrder'].map((operation) => {
          const own = listCallers(operation).filter((one) => one.owner === owner);
          return {
            operation,
            firstAt: Math.min(...own.map(({ firstAt }) => firstAt)),
            lastAt: Math.max(...own.map(({ lastAt }) => lastAt)),
            requests: own.reduce((sum, { requests }) => sum + requests, 0),
            keys: own
              .toSorted((a, b) => b.lastAt - a.lastAt)
              .slice(0, 5)
              .map(({ key, lastAt, requests }) => ({ id: key, lastAt, requests })),
          };
        });
        expect(calls.toSorted((a, b) => (a.operation < b.operation ? -1 : 1))).toEqual(expected);
        expect(await history.calls({ operations: ['listPets'], owner: 'nobody' })).toEqual([]);
        expect(await history.calls({ operations: [], owner })).toEqual([]);
      });

      test.each(['', '!', 'Y2FsbGVyczo', Buffer.from('callers:1:x').toString('base64url')])(
        'are not listed with an invalid cursor, such as “%s”',
        async (cursor) => {
          const refused = history.callers({ operation: 'listPets', limit: 1, cursor });
          await expect(refused).rejects.toMatchObject({ name: 'RegistryError', code: 'invalid_cursor' });
        },
      );
    });

    describe('a preview of limits', () => {
      const excess = (key: string, every: 'minute' | 'day', keptMs: number, limit: number) => {
        const length = LENGTH_MS[every];
        const from = Math.ceil((NOW - keptMs) / length) * length;
        const own = events.filter((event) => event.key === key && event.at >= from);
        const windows = Map.groupBy(own, ({ at }) => Math.floor(at / length));
        const units = [...windows.values()].map((of) => of.reduce((sum, one) => sum + one.units + one.refusedUnits, 0));
        const above = units.filter((sum) => sum > limit);
        return { count: above.length, peak: Math.max(0, ...above) };
      };
      /** Counts only months within the retention, and the current month. */
      const monthsAbove = (key: string, limit = Infinity) => {
        const formatMonth = (at: number) => new Date(at).toISOString().slice(0, 7);
        const from = Math.ceil((NOW - keep.days) / LENGTH_MS.day) * LENGTH_MS.day;
        const whole = (at: number) =>
          Date.parse(`${formatMonth(at)}-01`) >= from || formatMonth(at) === formatMonth(NOW);
        const own = events.filter((event) => event.key === key && event.at >= from && whole(event.at));
        const months = [...Map.groupBy(own, ({ at }) => formatMonth(at)).values()];
        const units = months.map((of) => of.reduce((sum, one) => sum + one.units + one.refusedUnits, 0));
        const above = units.filter((sum) => sum > limit);
        return { count: above.length, peak: Math.max(0, ...above) };
      };
      const plain = (plan: string, limits: Limits): PreviewReport['keys'] =>
        keys
          .filter((key) => key.plan === plan && key.limits === null && key.status !== 'revoked')
          .map(({ id: key, name: ofKey, owner }) => {
            const minutes = excess(key, 'minute', keep.minutes, limits.minute);
            const days = excess(key, 'day', keep.days, limits.day);
            return { key, name: ofKey, owner, sharing: 1, minutes, days, months: monthsAbove(key, limits.month) };
          })
          .filter(({ minutes, days, months }) => minutes.count + days.count + months.count > 0)
          .toSorted(
            (a, b) =>
              b.months.count - a.months.count ||
              b.days.count - a.days.count ||
              b.minutes.count - a.minutes.count ||
              (a.key < b.key ? -1 : 1),
          );

      test.each([
        ['free', { minute: 1, day: 1 }],
        ['free', { minute: 2, day: 5 }],
        ['free', { minute: 3, day: 60 }],
        ['free', { minute: 1000, day: 1000, month: 30 }],
        ['pro', { minute: 1000, day: 1000, month: 1000 }],
        ['pro', { minute: 1, day: 1000 }],
        ['pro', { minute: 1000, day: 3 }],
        ['free', { minute: 1000, day: 1000 }],
        ['enterprise', { minute: 1, day: 1 }],
        ['unknown', { minute: 1, day: 1 }],
      ])('for %s with %j lists exactly the keys that exceeded them', async (plan, limits: Limits) => {
        const expected = plain(plan, limits);
        const report = await history.preview({ plan, limits, now: NOW });
        expect(report).toEqual({
          minutesFrom: Date.UTC(2026, 10, 13, 13, 38),
          daysFrom: Date.UTC(2024, 10, 16),
          monthsFrom: limits.month === undefined ? null : Date.UTC(2024, 11, 1),
          keysExamined: { free: 5, pro: 3 }[plan] ?? 0,
          keysAbove: expected.length,
          keysUsedUp: expect.any(Number),
          keys: expected,
        });
        const isLow = Math.min(limits.minute, limits.day, limits.month ?? Infinity) < 1000;
        expect(expected.length > 0).toBe(isLow && ['free', 'pro'].includes(plan));
      });

      test('counts keys that share a quota once, with the use of all of them', async () => {
        const own = { plan: 'enterprise', limits: pro.limits };
        const first = createNewKey({ ...own, status: 'revoked' });
        const shared = { ...own, quotaId: first.quotaId };
        const [second, third, alone] = [createNewKey(shared), createNewKey(shared), createNewKey(own)];
        await new Registry(database.records).createKeys([first, second, third, alone], change);
        const day = NOW - (NOW % DAY_MS);
        const row = { operation: 'shared', minute: day };
        await addCounts(
          history,
          { ...row, keyId: first.id, requests: 2 },
          { ...row, keyId: second.id, requests: 4 },
          { ...row, keyId: third.id, requests: 3 },
          { ...row, keyId: third.id, minute: day - DAY_MS, requests: 3 },
          { ...row, keyId: alone.id, requests: 8 },
        );
        const examine = (limits: Limits, ...examined: NewKey[]) =>
          history.preview({ plan: 'free', keys: examined.map(({ id }) => id), limits, now: NOW });
        const named = { key: third.id, name: third.name, owner: third.owner };
        const none = { count: 0, peak: 0 };
        const nine = { count: 1, peak: 9 };

        expect(await examine({ minute: 8, day: 8, month: 11 }, third)).toMatchObject({
          keysExamined: 1,
          keysAbove: 1,
          keysUsedUp: 1,
          keys: [{ ...named, sharing: 1, minutes: nine, days: nine, months: { count: 1, peak: 12 } }],
        });
        expect(await examine({ minute: 8, day: 9 }, second, third, alone)).toMatchObject({
          keysExamined: 3,
          keysAbove: 2,
          keysUsedUp: 2,
          keys: [{ ...named, sharing: 2, minutes: nine, days: none, months: none }],
        });
        expect(await examine({ minute: 9, day: 10 }, second, third, alone)).toMatchObject({
          keysAbove: 0,
          keysUsedUp: 0,
        });
      });
    });

    describe('stored refusals', () => {
      const refusal = (over: Partial<RefusalRecord>): RefusalRecord => ({
        requestId: 'request',
        quotaId: 'quota',
        keyId: keys[0]?.id ?? '',
        at: NOW - HOUR_MS,
        facts: {},
        ...over,
      });
      const minutesIn = (key: string | undefined, from: number, to: number) => {
        const own = events.filter(
          (event) =>
            event.key === key && startOfMinute(event.at) >= startOfMinute(from) && startOfMinute(event.at) <= to,
        );
        const minutes = Map.groupBy(own, ({ at }) => startOfMinute(at));
        return [...minutes]
          .toSorted(([a], [b]) => a - b)
          .map(([at, of]) => {
            const refused = of.filter(({ outcome }) => outcome.endsWith('exceeded')).length;
            return { at, requests: of.length, refused };
          });
      };

      test.each([
        ['that could be retried soon covers ten minutes', NOW - HOUR_MS + MINUTE_MS, NOW - HOUR_MS + 10 * MINUTE_MS],
        ['that cannot be retried covers ten minutes', null, NOW - HOUR_MS + 10 * MINUTE_MS],
        ['that could be retried later covers the time until then', NOW - 10 * MINUTE_MS, NOW - 10 * MINUTE_MS],
        ['of a long ban covers its first day', NOW + 40 * DAY_MS, NOW - HOUR_MS + DAY_MS],
      ])('are returned with the counts of the time that they cover: a refusal %s', async (title, freeAt, to) => {
        const kept = refusal({ requestId: title, facts: { freeAt } });
        await history.keepRefusals([kept, refusal({ requestId: title, quotaId: 'other', keyId: keys[1]?.id ?? '' })]);
        const minutes = minutesIn(kept.keyId, kept.at, to);
        expect(minutes.some(({ refused }) => refused > 0)).toBe(true);
        expect(await history.findRefusals(title, 'quota')).toEqual([{ ...kept, minutes, later: [] }]);
      });

      /** The strikes of later refusals show how close the key came to a ban. */
      test('are returned with later refusals of the same key and quota, in order, within the time that they cover', async () => {
        const at = NOW - 2 * HOUR_MS;
        const after = (ms: number, over: Partial<RefusalRecord> = {}) =>
          refusal({ requestId: `after ${ms}`, quotaId: 'chain', at: at + ms, facts: { ms }, ...over });
        await history.keepRefusals([
          after(600_000),
          refusal({ requestId: 'first', quotaId: 'chain', at }),
          after(-1),
          after(5),
          after(6, { keyId: keys[1]?.id ?? '' }),
          after(7, { quotaId: 'other' }),
          after(600_001),
        ]);
        const [found] = await history.findRefusals('first', 'chain');
        expect(found?.later).toEqual([5, 600_000].map((ms) => ({ at: at + ms, facts: { ms } })));
      });

      test('are found even if they have no admission data', async () => {
        await history.keepRefusals([refusal({ requestId: 'expired', facts: { admission: null } })]);
        expect(await history.findRefusals('expired')).toMatchObject([{ facts: { admission: null } }]);
      });

      test('are found by request id, at most the ten newest, and can be limited to one quota', async () => {
        const same = Array.from({ length: 12 }, (_, index) =>
          refusal({ requestId: 'same', quotaId: `quota ${index % 2}`, at: NOW - 10_000 + index }),
        );
        await history.keepRefusals(same);
        const times = (found: readonly RefusalRecord[]) => found.map(({ at }) => at - NOW + 10_000);
        expect(times(await history.findRefusals('same'))).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
        expect(times(await history.findRefusals('same', 'quota 1'))).toEqual([11, 9, 7, 5, 3, 1]);
        expect(await history.findRefusals('same', 'quota')).toEqual([]);
        expect(await history.findRefusals('unknown')).toEqual([]);
      });

      describe('that are recent', () => {
        /** The refusals with the owners and names of their keys. A key that no longer exists has neither. */
        const kept: ListedRefusal[] = [];
        const from = NOW - 1000;
        beforeAll(async () => {
          const add = (ms: number, key: NewKey | undefined, code: string, operation: string | null = null) => {
            const keyId = key?.id ?? 'deleted';
            const record = {
              requestId: `recent ${ms}`,
              quotaId: `of ${keyId}`,
              keyId,
              at: from + ms,
              facts: { code, operation },
            };
            kept.unshift({ ...record, keyName: key?.name ?? null, owner: key?.owner ?? null });
          };
          const [one, other, third] = keys.slice(5);
          add(1, one, 'quota_exceeded');
          add(2, other, 'key_banned', 'getPet');
          add(3, third, 'quota_exceeded');
          add(4, undefined, 'key_banned');
          add(5, one, 'key_banned', 'getPet');
          await history.keepRefusals(kept.map(({ keyName: _, owner: __, ...record }) => record));
        });
        const recent = (query: Partial<RecentRefusalsQuery> = {}) =>
          history.recentRefusals({ from, limit: 10, ...query });
        const expected = (...places: number[]) => ({ items: places.map((place) => kept[place]), nextCursor: null });

        test('are listed for all keys, newest first, with the owner and the name of the key', async () => {
          expect(await recent()).toEqual(expected(0, 1, 2, 3, 4));
          expect(await recent({ from: from + 4 })).toEqual(expected(0, 1));
        });

        test('can be filtered by key, owner, code and operation', async () => {
          const [one, other] = keys.slice(5);
          const keyIds = [one?.id ?? '', other?.id ?? ''];
          expect(await recent({ keyIds })).toEqual(expected(0, 3, 4));
          expect(await recent({ keyIds, owner: one?.owner })).toEqual(expected(0, 4));
          expect(await recent({ owner: other?.owner })).toEqual(expected(3));
          expect(await recent({ code: 'key_banned' })).toEqual(expected(0, 1, 3));
          expect(await recent({ owner: one?.owner, code: 'quota_exceeded' })).toEqual(expected(4));
          expect(await recent({ operation: 'getPet' })).toEqual(expected(0, 3));
          expect(await recent({ operation: 'getPet', owner: one?.owner, code: 'key_banned' })).toEqual(expected(0));
          expect(await recent({ operation: 'getPet', code: 'quota_exceeded' })).toEqual(expected());
          const unknown = [{ owner: 'nobody' }, { code: 'none' }, { operation: 'none' }];
          for (const none of [{ keyIds: [] }, { keyIds: ['unknown'] }, ...unknown]) {
            expect(await recent(none)).toEqual(expected());
          }
        });

        test.each([{}, { code: 'key_banned' }, { operation: 'getPet' }, { keyIds: ['deleted'] }])(
          'that match %j come in pages of any length',
          async (filter) => {
            const all = (await recent(filter)).items;
            for (const limit of [1, 2, all.length]) {
              const found: ListedRefusal[] = [];
              let cursor: string | undefined;
              do {
                const page = await recent({ ...filter, limit, cursor });
                expect(page.items.length).toBeLessThanOrEqual(limit);
                found.push(...page.items);
                cursor = page.nextCursor ?? undefined;
              } while (cursor !== undefined);
              expect(found).toEqual(all);
            }
          },
        );

        test('that happened at the same moment are neither repeated nor left out', async () => {
          const at = from + 999;
          const same = ['a', 'b', 'c'].map((requestId) => refusal({ requestId, quotaId: 'same moment', at }));
          await history.keepRefusals(same);
          const first = await recent({ from: at, limit: 2 });
          const second = await recent({ from: at, limit: 2, cursor: first.nextCursor ?? '' });
          const ids = [...first.items, ...second.items].map(({ requestId }) => requestId);
          expect(ids).toEqual(['c', 'b', 'a']);
        });

        test.each(['', '!', 'cmVmdXNhbHM6MTp4', Buffer.from('refusals:x:a:b').toString('base64url')])(
          'cannot be continued from an invalid cursor, such as “%s”',
          async (cursor) => {
            await expect(recent({ cursor })).rejects.toMatchObject({ name: 'RegistryError', code: 'invalid_cursor' });
          },
        );
      });

      /** If few refusals match a filter, one page must not have to read all refusals. */
      test('are read in pages that end after 20,000 refusals, even if none of them matches the filter', async () => {
        const at = (index: number) => NOW - 47 * HOUR_MS - index;
        for (let first = 0; first < 20_000; first += 10_000) {
          await history.keepRefusals(
            Array.from({ length: 10_000 }, (_, index) =>
              refusal({ requestId: 'common', quotaId: 'common', at: at(first + index), facts: { code: 'common' } }),
            ),
          );
        }
        await history.keepRefusals([refusal({ requestId: 'rare', at: at(20_000), facts: { code: 'rare' } })]);
        const rare = { code: 'rare', from: at(20_000), limit: 1 };
        const first = await history.recentRefusals(rare);
        expect(first.items).toEqual([]);
        const second = await history.recentRefusals({ ...rare, cursor: first.nextCursor ?? '' });
        expect(second).toMatchObject({ items: [{ requestId: 'rare' }], nextCursor: null });
      });
    });
  });
}
