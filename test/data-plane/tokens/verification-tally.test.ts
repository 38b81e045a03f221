/** Operators use these counts to check a new issuer during its first hour. */
import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { TokenMetrics } from '../../../src/data-plane/tokens/token-metrics.ts';
import { VerificationTally } from '../../../src/data-plane/tokens/verification-tally.ts';

const START = Date.parse('2026-06-15T12:00:00Z');
const MINUTE_MS = 60_000;

function createTally() {
  const time = { now: START };
  const counts = new TokenMetrics(new Registry(), () => []).countsFor('corp');
  const tally = new VerificationTally(counts, () => time.now);
  /** Lets minutes pass, and counts `verified` verifications at the beginning of each. */
  const pass = (minutes: number, verified: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      counts.verified.value += verified;
      time.now += MINUTE_MS;
      tally.sample();
    }
  };
  return { counts, tally, pass };
}

test('in the first hour, the counts of the last hour equal the totals', () => {
  const { tally, pass } = createTally();
  pass(30, 2);
  const { since, total, lastHour } = tally.report();
  expect({ since, total }).toMatchObject({ since: START, total: { verified: 60, token_invalid: 0 } });
  expect(lastHour).toEqual({ since, counts: total });
});

test('after the first hour, the counts of the last hour cover 60 minutes, and the totals remain', () => {
  const { tally, pass } = createTally();
  pass(90, 1);
  pass(50, 0);
  const { since, total, lastHour } = tally.report();
  expect({ since, verified: total.verified }).toEqual({ since: START, verified: 90 });
  // The counts of an hour begin with the sample after minute 81: the oldest of the last 60.
  expect(lastHour).toMatchObject({ since: START + 81 * MINUTE_MS, counts: { verified: 9 } });
});

test('reasons are listed with their counts, most frequent first, up to a maximum number', () => {
  const { tally } = createTally();
  tally.noteFault('has no signature');
  for (let i = 0; i < 3; i++) tally.noteFault('is not for this API (aud)');
  for (let i = 0; i < 500; i++) tally.noteFault(`reason ${i}`);
  const { invalid } = tally.report();
  expect(invalid.slice(0, 2)).toEqual([
    { reason: 'is not for this API (aud)', count: 3 },
    { reason: 'has no signature', count: 1 },
  ]);
  expect(invalid).toHaveLength(100);
  tally.noteRefusedCaller('no_plan');
  expect(tally.report().refusedCallers).toEqual([{ reason: 'no_plan', count: 1 }]);
});
