import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bar, sparkline } from '../../src/cli/usage-history.ts';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { cliFor } from '../support/gateway/cli.ts';
import { addCounts } from '../support/history/counts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
let id: string;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
  ({ id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body);
  const row = { keyId: id, operation: 'getPet' };
  await addCounts(
    admin.history,
    { ...row, minute: NOW - 3 * HOUR, requests: 40 },
    { ...row, minute: NOW - HOUR, requests: 60 },
    { ...row, minute: NOW - HOUR, outcome: 'rate_limit_exceeded', statusClass: 4, requests: 20, durationMs: 1 },
    { ...row, operation: 'listPets', minute: NOW - 30 * HOUR, requests: 10 },
    { operation: 'getPet', minute: NOW - 2 * HOUR, outcome: 'key_missing', statusClass: 4, requests: 5 },
  );
});
afterAll(() => admin.stop());

const draw = async (columns: number, ...args: readonly string[]) =>
  (await cli.run(['usage', 'history', ...args], { columns })).out;

describe('to a program or a file', () => {
  test('it is a table of the intervals that have something', async () => {
    expect(await cli.text('usage', 'history', '--key', id)).toBe(
      '2026-06-14 12:00:00 to 2026-06-15 12:00:00 UTC, by the hour\n\n' +
        'FROM (UTC)           REQUESTS  UNITS  REFUSED  ERRORS  P50 MS  P95 MS  P99 MS\n' +
        '2026-06-15 09:00:00        40     40        0       0      10      10      10\n' +
        '2026-06-15 11:00:00        80     60       20       0      10      10      10\n' +
        'total                     120    100       20       0      10      10      10\n',
    );
  });

  test('or of the groups', async () => {
    expect(await cli.text('usage', 'history', '--by', 'operation', '--since', '2d')).toBe(
      '2026-06-13 12:00:00 to 2026-06-15 12:00:00 UTC, by the hour\n\n' +
        'OPERATION  REQUESTS  UNITS  REFUSED  ERRORS  P50 MS  P95 MS  P99 MS\n' +
        'getPet          125    100       25       0      10      10      10\n' +
        'listPets         10     10        0       0      10      10      10\n',
    );
    expect(await cli.text('usage', 'history', '--by', 'key')).toMatch(/\nnone +5 +0 +5 +0 /);
  });

  test('what is beyond the limit is summed up, and it says so', async () => {
    const { out, err } = await cli.run(['usage', 'history', '--by', 'owner', '--limit', '1']);
    expect(out).toMatch(/\nacme +120 .*\nothers +5 +0 +5 /);
    expect(err).toBe('There are more, summed up as others: see --limit.\n');
  });

  test('CSV has a line for each interval of a series', async () => {
    const lines = (await cli.text('usage', 'history', '--by', 'outcome', '--key', id, '--csv')).split('\n');
    expect(lines[0]).toBe('group,at,requests,units,refused,errors,p50Ms,p95Ms,p99Ms');
    expect(lines[1]).toMatch(/^served,2026-06-15T09:00:00\.000Z,40,40,0,0,10\.02,10\.02,10\.02$/);
    expect(lines[3]).toMatch(/^rate_limit_exceeded,2026-06-15T11:00:00\.000Z,20,0,20,0,/);
    expect(lines).toHaveLength(5);
  });

  test('JSON is what the API answers', async () => {
    expect(await cli.json('usage', 'history', '--by', 'key', '--since', '48h', '--every', 'day')).toEqual(
      (await admin.get('/v1/usage?by=key&from=2026-06-13T12:00:00Z&every=day')).body,
    );
  });

  test('nothing is said to be nothing', async () => {
    expect(await cli.text('usage', 'history', '--owner', 'nobody')).toMatch(/by the hour\nNo requests\.\n$/);
    expect(await cli.text('usage', 'history', '--owner', 'nobody', '--by', 'key')).toMatch(/\nNo requests\.\n$/);
  });
});

describe('in a terminal', () => {
  test('each interval has a bar, those without requests too', async () => {
    const [, , head, ...lines] = (
      await draw(100, '--key', id, '--from', '2026-06-15T08:30:00Z', '--every', 'hour')
    ).split('\n');
    expect(head).toMatch(/^FROM \(UTC\) .* P99 MS$/);
    expect(lines.map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      '2026-06-15 08:00:00  0  0  0  0',
      `2026-06-15 09:00:00  40  40  0  0  10  10  10  ${'█'.repeat(10)}▌`,
      '2026-06-15 10:00:00  0  0  0  0',
      `2026-06-15 11:00:00  80  60  20  0  10  10  10  ${'█'.repeat(21)}`,
      'total  120  100  20  0  10  10  10',
      '',
    ]);
    expect(Math.max(...lines.map((line) => line.length))).toBe(100);
  });

  test('more intervals than a screen has lines become one line for each figure', async () => {
    expect(await draw(80, '--since', '4d')).toBe(
      '2026-06-11 12:00:00 to 2026-06-15 12:00:00 UTC, by the hour\n\n' +
        '          TOTAL\n' +
        `requests    135  ${' '.repeat(33)}▁${' '.repeat(12)}▄█\n` +
        `refused      25  ${' '.repeat(47)}█\n` +
        'errors        0\n' +
        '\nHalf of them took at most 10 ms, 95 % 10 ms, 99 % 10 ms.\n',
    );
  });

  test('each group has a sparkline', async () => {
    const lines = (await draw(120, '--by', 'operation', '--since', '2d')).split('\n').slice(3, 5);
    expect(lines[0]).toMatch(/ 10 +▄▁█$/);
    expect(lines[1]).toMatch(/ 10 +█$/);
  });
});

describe('a wrong command line', () => {
  test.each([
    [['--json', '--csv'], /--json and --csv do not go together/],
    [['--since', '7d', '--from', '2026-06-01T00:00:00Z'], /--since and --from do not go together/],
    [['--since', 'yesterday'], /It must be a number of minutes, hours or days, such as 90m, 24h or 7d/],
    [['--from', 'yesterday'], /It must be a date-time with its offset/],
    [['--by', 'status'], /Allowed choices are key, owner, plan, operation, outcome/],
  ])('%j', async (args, message) => {
    const { code, out, err } = await cli.run(['usage', 'history', ...args]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  test('what the API refuses says what to change', async () => {
    const args = ['--since', '90d', '--every', 'hour', '--by', 'key'];
    const { code, err } = await cli.run(['usage', 'history', ...args]);
    expect(code).toBe(1);
    expect(err).toMatch(/query\.from must be later, or `every` longer, or `limit` lower: .* at most 3000/);
  });
});

test('a bar is as long as its value, in eighths of a cell', () => {
  expect([0, 1, 50, 56, 100].map((value) => bar(value, 100, 10))).toEqual(['', '▏', '█████', '█████▋', '██████████']);
  // What is next to nothing beside the highest is still not nothing.
  expect(bar(1, 1_000_000, 10)).toBe('▏');
  expect(bar(0, 0, 10)).toBe('');
});

test('a sparkline has a cell for every value, and none where there is nothing', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7, 8, 0], 40)).toBe(' ▁▂▃▄▅▆▇█ ');
  expect(sparkline([0, 0], 40)).toBe('  ');
  expect(sparkline([], 40)).toBe('');
  expect(sparkline([1, 1_000_000], 40)).toBe('▁█');
});

test('a sparkline with more values than cells adds up neighbours', () => {
  expect(sparkline([1, 1, 2, 2, 4, 4], 3)).toBe('▂▄█');
  expect(sparkline(Array<number>(100).fill(1), 30)).toHaveLength(25);
});
