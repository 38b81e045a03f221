import { expect, test } from '@jest/globals';
import type { AuditEntry } from '../../api/audit.ts';
import { foldRuns } from './audit-runs.ts';

function entry(sequence: number, over: Partial<AuditEntry> = {}): AuditEntry {
  const made = {
    at: '2026-06-15T12:00:00Z',
    actor: 'ops',
    action: 'account.link',
    subject: `acc_${sequence}`,
  } as const;
  return { sequence, ...made, reason: null, message: null, bulkId: null, before: null, after: null, ...over };
}

const counts = (entries: readonly AuditEntry[], summaryOf = (_: AuditEntry) => '') =>
  foldRuns(entries, summaryOf).map((run) => [run.entry.sequence, run.count]);

test('three or more equal changes are one row', () => {
  expect(counts([entry(9), entry(8), entry(7), entry(6, { action: 'key.create' })])).toEqual([
    [9, 3],
    [6, 1],
  ]);
});

test('two equal changes stay separate rows', () => {
  expect(counts([entry(9), entry(8)])).toEqual([
    [9, 1],
    [8, 1],
  ]);
});

test.each([
  ['person', { actor: 'bob' }],
  ['reason', { reason: 'asked for' }],
  ['kind of change', { action: 'account.delete' as const }],
])('another %s ends a run', (_, over) => {
  expect(counts([entry(9), entry(8), entry(7, over)])).toHaveLength(3);
});

test('changes with different texts stay separate rows', () => {
  expect(counts([entry(9), entry(8), entry(7)], ({ sequence }) => `plan: ${sequence}`)).toHaveLength(3);
});
