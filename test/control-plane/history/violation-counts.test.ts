/**
 * The counts take a limited amount of memory and a limited number of rows, however many keys, operations and rules
 * there are. Requests for which there is no room are counted together, and none is counted twice.
 */
import { describe, expect, test } from '@jest/globals';
import { ViolationCounts } from '../../../src/control-plane/history/recording/violation-counts.ts';
import type { CheckedRequest } from '../../../src/data-plane/boundary-types.ts';
import type { ViolationRow } from '../../../src/control-plane/history/store/history-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AT = Date.UTC(2026, 10, 20, 12);

/** Creates a request of a key that broke these rules of an operation. */
function request(key: number | null, operation: number, ...rules: number[]): CheckedRequest {
  return {
    credential: key === null ? null : { keyId: `key_${key}` },
    operation: { id: `operation${operation}` },
    upstream: 'pets',
    mode: 'report',
    candidate: null,
    broken: rules.map((rule) => ({ rule: 'required', rulePath: `/field${rule}`, message: 'is required' })),
    unchecked: null,
  } as unknown as CheckedRequest;
}

function takeAll(counts: ViolationCounts): ViolationRow[] {
  const rows: ViolationRow[] = [];
  for (let chunk = counts.take(1000); chunk.length > 0; chunk = counts.take(1000)) rows.push(...chunk);
  return rows;
}

const sumRequests = (rows: readonly ViolationRow[]) => rows.reduce((sum, { requests }) => sum + requests, 0);

describe('the counts of requests that do not fit the document', () => {
  test('take a limited amount of memory for 10,000 keys, 100 operations and 60 rules', () => {
    const [maxCounts, maxWithOther] = [5000, 6000];
    const counts = new ViolationCounts(() => AT, { maxCounts, maxWithOther });
    const sent = 10_000;
    for (let key = 0; key < sent; key++) {
      counts.observe(request(key, key % 100, key % 60, (key + 1) % 60));
    }
    expect(counts.size).toBeGreaterThanOrEqual(maxCounts);
    expect(counts.size).toBeLessThanOrEqual(maxWithOther);
    const rows = takeAll(counts);
    const totals = rows.filter(({ rule }) => rule === null);
    expect(sumRequests(totals) + counts.lost).toBe(sent);
    expect(counts.lost).toBe(0);
    expect(rows.some(({ keyId }) => keyId === 'other')).toBe(true);
  });

  test('have at most 50 rules per key and operation, even if they are written in between', () => {
    const counts = new ViolationCounts(() => AT);
    const rules = new Set<string | null>();
    for (let rule = 0; rule < 200; rule++) {
      counts.observe(request(1, 1, rule));
      for (const row of takeAll(counts)) rules.add(row.rule);
    }
    rules.delete(null);
    expect(rules.size).toBe(51);
    expect(rules.has('other')).toBe(true);
  });

  test('add a limited number of rows per gateway and hour, however often they are written', () => {
    let now = AT;
    const maxRowsPerHour = 1000;
    const counts = new ViolationCounts(() => now, { maxRowsPerHour });
    const stored = new Map<string, number>();
    const sent = 20 * 500;
    for (let round = 0; round < 20; round++) {
      for (let key = 0; key < 500; key++) counts.observe(request(round * 250 + key, 1, 1));
      for (const { keyId, operation, hour, rule, requests } of takeAll(counts)) {
        const id = `${keyId} ${operation} ${hour} ${rule}`;
        stored.set(id, (stored.get(id) ?? 0) + requests);
      }
    }
    // Two further rows have the keys that are counted together.
    expect(stored.size).toBe(maxRowsPerHour + 2);
    const totals = [...stored].filter(([id]) => id.endsWith(' null'));
    expect(totals.reduce((sum, [, requests]) => sum + requests, 0)).toBe(sent);

    now += HOUR;
    counts.observe(request(9999, 1, 1));
    expect(takeAll(counts).map(({ keyId }) => keyId)).toEqual(['key_9999', 'key_9999']);
  });

  test('add a limited number of rows per gateway and day', () => {
    let now = AT - (AT % DAY);
    const maxRowsPerDay = 100;
    const counts = new ViolationCounts(() => now, { maxRowsPerDay });
    const countOwnRows = () => {
      for (let key = 0; key < 20; key++) counts.observe(request(key, 1, 1));
      const rows = takeAll(counts);
      expect(sumRequests(rows.filter(({ rule }) => rule === null))).toBe(20);
      return rows.filter(({ keyId }) => keyId !== 'other').length;
    };
    const byHour: number[] = [];
    for (let hour = 0; hour < 25; hour++) {
      byHour.push(countOwnRows());
      // Writing a row again adds no further row.
      if (hour === 1) expect(countOwnRows()).toBe(40);
      now += HOUR;
    }
    expect(byHour).toEqual([40, 40, 20, ...Array.from({ length: 21 }, () => 0), 40]);
  });

  test('are separate for each version of a candidate', () => {
    const counts = new ViolationCounts(() => AT);
    const known = { ...request(1, 1, 1), mode: 'candidate' as const };
    counts.observe({ ...known, candidate: 'one' });
    counts.observe({ ...known, candidate: 'two' });
    counts.observe({ ...known, candidate: 'two' });
    const totals = takeAll(counts).filter(({ rule }) => rule === null);
    expect(totals.map(({ operation, kind, requests }) => [operation, kind, requests])).toEqual([
      ['candidate one operation1', 'candidate', 1],
      ['candidate two operation1', 'candidate', 2],
    ]);
  });
});
