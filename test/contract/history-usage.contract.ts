/** Compares reports with a plain count of the written events. Figures must be exact, and percentiles within 5%. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatUsageCsv } from '../../src/control-plane/history/report-csv.ts';
import type {
  Group,
  GroupList,
  HistoryStore,
  Grouping,
  Resolution,
  UsageFigures,
  UsageQuery,
  UsageReport,
} from '../../src/control-plane/history/store/history-store.ts';
import { exportUsage } from '../../src/control-plane/history/usage-export.ts';
import type { NewKey } from '../../src/control-plane/registry/key.ts';
import { Registry } from '../../src/control-plane/registry/registry.ts';
import { type HistoryDatabase, keep } from '../support/history/history-database.ts';
import type { HistoryEvent } from '../support/history/history-model.ts';
import { addCounts } from '../support/history/counts.ts';
import { countFigures, LENGTH_MS, PlainCount } from '../support/history/plain-count.ts';
import { NOW, sampleEvents, writeEvents } from '../support/history/sample.ts';
import { free, createNewKey, pro } from '../support/registry-data.ts';

const DAY_MS = LENGTH_MS.day;
const KEPT_MS: Readonly<Record<Resolution, number>> = {
  minute: keep.minutes,
  hour: keep.hours,
  '6h': keep.hours,
  day: keep.days,
};
const BY: readonly (Grouping | undefined)[] = [undefined, 'key', 'owner', 'plan', 'operation', 'outcome'];
const change = { actor: 'test', reason: null, at: 1 };

export function historyUsageContract(name: string, makeDatabase: () => Promise<HistoryDatabase>): void {
  describe(`with ${name},`, () => {
    let database: HistoryDatabase;
    let history: HistoryStore;
    let keys: NewKey[];
    let plain: PlainCount;

    beforeAll(async () => {
      database = await makeDatabase();
      history = await database.open();
      keys = Array.from({ length: 9 }, (_, index) =>
        createNewKey({ owner: `owner ${index % 4}`, plan: index % 3 === 0 ? 'pro' : 'free' }),
      );
      const registry = new Registry(database.records);
      await registry.seedPlans([free, pro], change);
      // The last three keys form a rotation chain.
      const [first, second, third] = keys.splice(6) as [NewKey, NewKey, NewKey];
      await registry.createKeys([...keys, first], change);
      await registry.rotateKey(first.id, second, { oldExpiresAt: NOW }, change);
      await registry.rotateKey(second.id, third, { oldExpiresAt: NOW }, change);
      keys.push(first, { ...first, id: second.id }, { ...first, id: third.id });
      const findChain = (id: string) => (keys.findIndex((key) => key.id === id) < 6 ? id : first.id);
      const ids = keys.map(({ id }) => id);
      const events = sampleEvents(ids, 4000);
      const owners = keys.map(({ id, owner, plan }) => [id, { owner, plan, chain: findChain(id) }] as const);
      plain = new PlainCount(events, new Map(owners));
      const half = events.length / 2;
      await writeEvents(history, 'one gateway', events.slice(half));
      await writeEvents(history, 'another', events.slice(0, half));
    });
    afterAll(async () => {
      await history.close();
      await database.dispose();
    });

    const ask = (query: Partial<UsageQuery>) =>
      history.usage({ from: NOW - 7 * DAY_MS, to: NOW, every: 'day', limit: 100, now: NOW, ...query });

    function check(query: UsageQuery, report: UsageReport): void {
      const length = LENGTH_MS[query.every];
      const oldest = Math.ceil((NOW - KEPT_MS[query.every]) / length) * length;
      const to = Math.ceil(query.to / length) * length;
      const from = Math.min(to, Math.max(Math.floor(query.from / length) * length, oldest));
      expect(report).toMatchObject({ from, to, every: query.every });
      const groups = plain.groups(query, from, to);
      const largest = [...groups.values()].map((events) => events.length).toSorted((a, b) => b - a);
      const isFound = query.by !== undefined || groups.size > 0;
      if (isFound) {
        expect(report.series.map(({ totals }) => totals.requests)).toEqual(largest.slice(0, query.limit));
      }
      const left = new Map(groups);
      for (const { group, totals, points } of report.series) {
        const events = left.get(group) ?? [];
        left.delete(group);
        expectFigures(totals, events);
        const counted = query.totalsOnly === true ? [] : events;
        const intervals = Map.groupBy(counted, ({ at }) => Math.floor(at / length) * length);
        expect(points.map(({ at }) => at)).toEqual([...intervals.keys()].toSorted((a, b) => a - b));
        for (const point of points) expectFigures(point, intervals.get(point.at) ?? []);
      }
      if (left.size === 0) expect(report.others).toBeNull();
      else expectFigures(report.others, [...left.values()].flat());
    }

    test('reports of usage agree with a plain count of the requests for any query', async () => {
      const some = (values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
      const queries = fc
        .record({
          reachMs: fc.oneof(fc.nat(3 * 3_600_000), fc.nat(4 * DAY_MS), fc.nat(100 * DAY_MS), fc.nat(800 * DAY_MS)),
          agoMs: fc.oneof(fc.constant(0), fc.nat(3 * 3_600_000), fc.nat(40 * DAY_MS)),
          every: fc.constantFrom<Resolution>('minute', 'hour', '6h', 'day'),
          by: fc.constantFrom(...BY),
          key: some([...keys.map(({ id }) => id), 'key_that_is_gone', '*', '']),
          chainOf: some([...keys.slice(4).map(({ id }) => id), 'key_that_is_gone']),
          owner: some(['owner 0', 'owner 1', 'nobody']),
          plan: some(['free', 'pro']),
          operation: some(['listPets', 'placeOrder', '*', 'served']),
          outcome: some(['served', 'rate_limit_exceeded', 'listPets']),
          limit: fc.constantFrom(1, 2, 3, 100),
          totalsOnly: fc.boolean(),
        })
        .map(({ reachMs, agoMs, ...rest }) => ({
          ...rest,
          from: NOW - agoMs - reachMs - 1,
          to: NOW - agoMs,
          now: NOW,
        }));
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          check(query as UsageQuery, await history.usage(query as UsageQuery));
        }),
        { numRuns: 150, seed: 14 },
      );
    });

    test.each(BY)('reports of usage are correct at every resolution, grouped by %s', async (by) => {
      for (const [every, days] of [
        ['minute', 3],
        ['hour', 100],
        ['6h', 20],
        ['day', 800],
      ] as const) {
        for (const limit of [2, 100]) {
          const query = { from: NOW - days * DAY_MS, to: NOW, every, by, limit, now: NOW } as UsageQuery;
          check(query, await history.usage(query));
        }
      }
    });

    test.each(BY)('exports of usage have all rows, grouped by %s', async (by) => {
      for (const [every, days, totalsOnly] of [
        ['minute', 2, false],
        ['minute', 2, true],
        ['hour', 90, false],
        ['6h', 20, false],
        ['day', 700, false],
        ['day', 700, true],
      ] as const) {
        const query = { from: NOW - days * DAY_MS, to: NOW, every, now: NOW, totalsOnly, ...(by && { by }) };
        const { series } = await history.usage({ ...query, limit: 1000 });
        for (const limit of [undefined, 3]) {
          const [head, ...lines] = splitLines(await collect(exportUsage(history, { ...query, limit })));
          expect(head).toBe('group,at,requests,units,refused,errors,clientErrors,p50Ms,p95Ms,p99Ms');
          expect(lines.toSorted()).toEqual(splitLines([formatUsageCsv(series.slice(0, limit), totalsOnly)]).toSorted());
        }
      }
    });

    test.each(BY.filter((by) => by !== undefined))('groups of usage come in pages, grouped by %s', async (by) => {
      const groups: (Group | undefined)[] = [];
      for (const every of ['minute', 'hour', 'day'] as const) {
        const query = { from: NOW - 2 * DAY_MS, to: NOW, every, by, now: NOW };
        groups.length = 0;
        let list: GroupList | undefined;
        do {
          list = await history.usageGroups({ ...query, order: 'group', limit: 2, after: list?.groups.at(-1) });
          groups.push(...list.groups);
        } while (!list.isLast);
        expect(new Set(groups).size).toBe(groups.length);
        const ranked = await history.usageGroups({ ...query, order: 'requests', limit: 1000 });
        expect(groups).toEqual(expect.arrayContaining([...ranked.groups]));
      }
    });

    test('the requests of each owner are the same as in a report by owner', async () => {
      for (const [every, hours] of [
        ['minute', 3],
        ['hour', 50],
        ['6h', 100],
        ['day', 24 * 40],
      ] as const) {
        const query = { from: NOW - hours * LENGTH_MS.hour, to: NOW, every, now: NOW };
        const { series } = await history.usage({ ...query, by: 'owner', limit: 1000 });
        const named = series.filter(({ group }) => group !== null);
        expect(named.length).toBeGreaterThan(1);
        expect(new Map(named.map(({ group, totals }) => [group, totals.requests]))).toEqual(
          await history.requestsByOwner(query),
        );
      }
    });

    test('an export without usage has only the header', async () => {
      const query = { from: NOW - DAY_MS, to: NOW, every: 'hour', now: NOW, limit: undefined } as const;
      expect(splitLines(await collect(exportUsage(history, { ...query, by: 'key', owner: 'nobody' })))).toHaveLength(1);
      expect(splitLines(await collect(exportUsage(history, { ...query, by: 'key', key: 'none' })))).toHaveLength(1);
    });

    test('a report for any key of a rotation chain covers the whole chain', async () => {
      const chain = keys.slice(6).map(({ id }) => id);
      for (const [every, days] of [
        ['minute', 2],
        ['hour', 90],
        ['day', 700],
      ] as const) {
        const query = { from: NOW - days * DAY_MS, to: NOW, every, limit: 100, now: NOW } as const;
        const reports = await Promise.all(chain.map((id) => history.usage({ ...query, chainOf: id })));
        for (const report of reports) {
          check({ ...query, chainOf: chain[0]! }, report);
          expect(report.series[0]?.totals.requests).toBeGreaterThan(10);
        }
        const ofKeys = await history.usage({ ...query, chainOf: chain[1]!, by: 'key' });
        check({ ...query, chainOf: chain[1]!, by: 'key' }, ofKeys);
        expect(new Set(ofKeys.series.map(({ group }) => group))).toEqual(new Set(chain));
      }
    });

    test('a report starts no earlier than the oldest data, and says when it starts', async () => {
      const report = await ask({ every: 'minute', from: NOW - 30 * DAY_MS });
      expect(report.from).toBe(Date.UTC(2026, 10, 13, 13, 38));
      const gone = await ask({ every: 'minute', from: NOW - 30 * DAY_MS, to: NOW - 20 * DAY_MS, by: 'key' });
      expect(gone).toMatchObject({ from: gone.to, series: [], others: null });
    });

    test('countedSince is as precise as the stored counts, for any query', async () => {
      const young = await makeDatabase();
      const counted = await young.open();
      try {
        const first = Date.UTC(2026, 5, 10, 9, 41);
        const query = { from: first, to: first + DAY_MS, every: 'day', limit: 1, now: NOW } as const;
        const since = async (over: Partial<UsageQuery> = {}) =>
          (await counted.usage({ ...query, ...over })).countedSince;
        expect(await since()).toBeNull();
        await addCounts(counted, { minute: first, keyId: 'key_a' }, { minute: first + 3 * DAY_MS });
        expect(await since()).toBe(first);
        expect(await since({ key: 'key_of_nobody', by: 'operation', from: first + 2 * DAY_MS })).toBe(first);
        await counted.prune(first + 3 * DAY_MS);
        expect(await since()).toBe(Date.UTC(2026, 5, 10, 9));
        await addCounts(counted, { minute: first + 95 * DAY_MS });
        await counted.prune(first + 95 * DAY_MS);
        expect(await since()).toBe(Date.UTC(2026, 5, 10));
      } finally {
        await counted.close();
        await young.dispose();
      }
    });

    test('a report without groups has one series even if there is no usage', async () => {
      const { series } = await ask({ owner: 'nobody' });
      expect(series).toEqual([
        { group: null, totals: expect.objectContaining({ requests: 0, p50Ms: null }), points: [] },
      ]);
    });
  });
}

async function collect(pieces: AsyncIterable<string>): Promise<string[]> {
  return Array.fromAsync(pieces);
}

function splitLines(pieces: readonly string[]): string[] {
  return pieces.join('').split('\n').slice(0, -1);
}

const PERCENTILES = [
  ['p50Ms', 0.5],
  ['p95Ms', 0.95],
  ['p99Ms', 0.99],
] as const;

function expectFigures(actual: UsageFigures | null, events: readonly HistoryEvent[]): void {
  const { durations, ...counts } = countFigures(events);
  expect(actual).toMatchObject(counts);
  // This code runs for tens of thousands of points, so one `expect` checks all percentiles.
  const wrong = PERCENTILES.filter(([percentile, share]) => {
    const exact = durations[Math.max(0, Math.ceil(durations.length * share) - 1)];
    const value = actual?.[percentile];
    return exact === undefined ? value !== null : !(Math.abs((value ?? 0) / exact - 1) < 0.05);
  });
  expect(wrong).toEqual([]);
}
