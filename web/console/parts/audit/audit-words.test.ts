import { expect, test } from '@jest/globals';
import { formatShortTime } from '../../../shared/format/time.ts';
import { summarizeChange, findActionWords } from './audit-words.ts';

test('a change is one line with the old and new values', () => {
  const [before, after] = [{ limits: { minute: 300, day: 10_000 } }, { limits: { minute: 240, day: 10_000 } }];
  expect(summarizeChange({ action: 'plan.put', before, after })).toBe('requests per minute: 300 → 240');
  const moved = { action: 'key.update', before: { plan: 'free' }, after: { plan: 'pro' } } as const;
  expect(summarizeChange(moved)).toBe('plan: free → pro');
  expect(summarizeChange(moved, (id) => id.toUpperCase())).toBe('plan: FREE → PRO');
  const expiry = { before: { expiresAt: null }, after: { expiresAt: '2027-01-01T00:00:00.000Z' } };
  expect(summarizeChange({ action: 'key.update', ...expiry })).toBe(
    `expiry: none → ${formatShortTime(Date.parse('2027-01-01'), Date.now())}`,
  );
});

test('the line for a new key or plan says what it may do', () => {
  const after = { id: 'key_1', name: 'Shop', owner: 'acme', plan: 'pro', limits: null, metadata: { a: 'b' } };
  expect(summarizeChange({ action: 'key.create', before: null, after })).toBe('plan: pro');
  expect(findActionWords({ action: 'plan.put', before: null })).toEqual(['created', 'plan']);
});

test('long lists of changes are truncated, with the number of the rest', () => {
  const before = { a: 1, b: 2, c: 3, d: 4, e: 'x'.repeat(99) };
  const after = { a: 2, b: 3, c: 4, d: 5, e: 'y'.repeat(99) };
  expect(summarizeChange({ action: 'account.update', before, after })).toBe('a: 1 → 2, b: 2 → 3, c: 3 → 4, and 2 more');
  const note = summarizeChange({ action: 'account.update', before: { name: 'a' }, after: { name: 'y'.repeat(99) } });
  expect(note).toBe(`name: a → ${'y'.repeat(39)}…`);
});

test('a ban says when it ends', () => {
  const after = { keyId: 'key_1', from: '2026-11-22T01:00:00.000Z', until: '2026-11-22T02:00:00.000Z', level: 1 };
  expect(summarizeChange({ action: 'ban.start', before: null, after })).toBe(
    `until ${formatShortTime(Date.parse(after.until), Date.now())} (1 h)`,
  );
  expect(summarizeChange({ action: 'ban.lift', before: after, after: { keyId: 'key_1' } })).toBe('');
});
