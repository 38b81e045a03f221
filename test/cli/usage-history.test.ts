import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../src/base/error-types.ts';
import { drawBar, drawSparkline } from '../../src/cli/usage-history.ts';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { addCounts } from '../support/history/counts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let admin: Admin;
let cli: ReturnType<typeof createCli>;
let id: string;
beforeAll(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
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

describe('without a terminal', () => {
  test('intervals with requests are printed as a table', async () => {
    expect(await cli.text('usage', 'history', '--key', id)).toBe(
      '2026-06-14 12:00:00 to 2026-06-15 12:00:00 UTC, per hour\n\n' +
        'FROM (UTC)           REQUESTS  UNITS  REFUSED  ERRORS  4XX  P50 MS  P95 MS  P99 MS\n' +
        '2026-06-15 09:00:00        40     40        0       0    0      10      10      10\n' +
        '2026-06-15 11:00:00        80     60       20       0    0      10      10      10\n' +
        'total                     120    100       20       0    0      10      10      10\n',
    );
  });

  test('groups are printed as a table', async () => {
    expect(await cli.text('usage', 'history', '--by', 'operation', '--since', '2d')).toBe(
      '2026-06-13 12:00:00 to 2026-06-15 12:00:00 UTC, per hour\n\n' +
        'OPERATION  REQUESTS  UNITS  REFUSED  ERRORS  4XX  P50 MS  P95 MS  P99 MS\n' +
        'getPet          125    100       25       0    0      10      10      10\n' +
        'listPets         10     10        0       0    0      10      10      10\n',
    );
    expect(await cli.text('usage', 'history', '--by', 'key')).toMatch(/\nnone +5 +0 +5 +0 /);
  });

  test('groups beyond the limit are added up, and a hint is printed', async () => {
    const { out, err } = await cli.run(['usage', 'history', '--by', 'owner', '--limit', '1']);
    expect(out).toMatch(/\nacme +120 .*\nothers +5 +0 +5 /);
    expect(err).toBe('There are more groups, added up as "others". Use --limit to see more of them.\n');
  });

  test('CSV has one line per group and interval', async () => {
    const lines = (await cli.text('usage', 'history', '--by', 'outcome', '--key', id, '--csv')).split('\n');
    expect(lines[0]).toBe('group,at,requests,units,refused,errors,clientErrors,p50Ms,p95Ms,p99Ms');
    expect(lines[1]).toMatch(/^served,2026-06-15T09:00:00\.000Z,40,40,0,0,0,10\.02,10\.02,10\.02$/);
    expect(lines[3]).toMatch(/^rate_limit_exceeded,2026-06-15T11:00:00\.000Z,20,0,20,0,/);
    expect(lines).toHaveLength(5);
  });

  test('CSV has all groups, or with --limit those with the most requests', async () => {
    const operations = Array.from({ length: 12 }, (_, index) => `many${index}`);
    const minute = NOW - 500 * HOUR;
    await addCounts(admin.history, ...operations.map((operation) => ({ minute, operation, requests: 1 })));
    const period = ['--from', '2026-05-25T00:00:00Z', '--to', '2026-05-26T00:00:00Z', '--by', 'operation', '--csv'];
    const lines = (await cli.text('usage', 'history', ...period)).split('\n');
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(operations);
    expect((await cli.text('usage', 'history', ...period, '--limit', '2')).split('\n')).toHaveLength(4);
  });

  test('the command fails if the CSV is incomplete', async () => {
    const { history } = admin;
    const printed = Promise.withResolvers<void>();
    let calls = 0;
    const usage: typeof history.usage = async (query) => {
      if (++calls === 1) return history.usage(query);
      await printed.promise;
      throw new StoreUnavailable('away');
    };
    const other = await startAdmin({
      history: { ...history, usage, usageGroups: (query) => history.usageGroups(query) },
    });
    const args = ['usage', 'history', '--by', 'outcome', '--every', 'minute', '--since', '48h', '--csv'];
    const run = () => createCli(other).run(args, { onOut: () => printed.resolve() });
    const cut = await run();
    expect(cut.out).toMatch(/^group,at,/);
    expect([cut.code, cut.err]).toEqual([1, expect.stringContaining('the output is incomplete')]);
    expect(await run()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Try again in a moment') });
    await other.stop();
  });

  test('--json prints the response of the API', async () => {
    expect(await cli.json('usage', 'history', '--by', 'key', '--since', '48h', '--every', 'day')).toEqual(
      (await admin.get('/v1/usage?by=key&from=2026-06-13T12:00:00Z&every=day')).body,
    );
  });

  test('the output says if there were no requests', async () => {
    await admin.post('/v1/keys', { name: 'a', owner: 'idle', plan: 'free' });
    expect(await cli.text('usage', 'history', '--owner', 'idle')).toMatch(/per hour\nNo requests found\.\n$/);
    expect(await cli.text('usage', 'history', '--owner', 'idle', '--by', 'key')).toMatch(/\nNo requests found\.\n$/);
  });
});

describe('in a terminal', () => {
  test('each interval has a bar, including those without requests', async () => {
    const [, , head, ...lines] = (
      await draw(100, '--key', id, '--from', '2026-06-15T08:30:00Z', '--every', 'hour')
    ).split('\n');
    expect(head).toMatch(/^FROM \(UTC\) .* P99 MS$/);
    expect(lines.map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      '2026-06-15 08:00:00  0  0  0  0  0',
      `2026-06-15 09:00:00  40  40  0  0  0  10  10  10  ${'█'.repeat(8)}`,
      '2026-06-15 10:00:00  0  0  0  0  0',
      `2026-06-15 11:00:00  80  60  20  0  0  10  10  10  ${'█'.repeat(16)}`,
      'total  120  100  20  0  0  10  10  10',
      '',
    ]);
    expect(Math.max(...lines.map((line) => line.length))).toBe(100);
  });

  test('if the intervals do not fit the screen, each figure is one line', async () => {
    expect(await draw(80, '--since', '4d')).toBe(
      '2026-06-11 12:00:00 to 2026-06-15 12:00:00 UTC, per hour\n\n' +
        '          TOTAL\n' +
        `requests    135  ${' '.repeat(33)}▁${' '.repeat(12)}▄█\n` +
        `refused      25  ${' '.repeat(47)}█\n` +
        'errors        0\n' +
        '4xx           0\n' +
        '\nLatency: p50 10 ms, p95 10 ms, p99 10 ms.\n',
    );
  });

  test('each group has a sparkline', async () => {
    const lines = (await draw(120, '--by', 'operation', '--since', '2d')).split('\n').slice(3, 5);
    expect(lines[0]).toMatch(/ 10 +▄█$/);
    expect(lines[1]).toMatch(/ 10 +█$/);
  });
});

describe('an invalid command', () => {
  test.each([
    [['--json', '--csv'], /--json and --csv cannot be combined/],
    [['--since', '7d', '--from', '2026-06-01T00:00:00Z'], /--since and --from cannot be combined/],
    [['--since', 'yesterday'], /Use a number of minutes, hours or days, such as 90m, 24h or 7d/],
    [['--from', 'yesterday'], /Use a date and time with an offset/],
    [['--by', 'status'], /Allowed choices are key, owner, plan, operation, outcome/],
  ])('with the options %j is rejected as a usage error', async (args, message) => {
    const { code, out, err } = await cli.run(['usage', 'history', ...args]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  test('that the gateway rejects is reported with the names of the options to change', async () => {
    const args = ['--since', '90d', '--every', 'hour', '--by', 'key'];
    const { code, err } = await cli.run(['usage', 'history', ...args]);
    expect(code).toBe(1);
    expect(err).toMatch(/--from must be later, or --every longer, or --limit lower: .* maximum is 3000/);
  });
});

test('the length of a bar is proportional to its value, in eighths of a cell', () => {
  expect([0, 1, 50, 56, 100].map((value) => drawBar(value, 100, 10))).toEqual([
    '',
    '▏',
    '█████',
    '█████▋',
    '██████████',
  ]);
  // Every value above 0 must be visible.
  expect(drawBar(1, 1_000_000, 10)).toBe('▏');
  expect(drawBar(0, 0, 10)).toBe('');
});

test('a sparkline has a cell per value, blank for 0', () => {
  expect(drawSparkline([0, 1, 2, 3, 4, 5, 6, 7, 8, 0], 40)).toBe(' ▁▂▃▄▅▆▇█ ');
  expect(drawSparkline([0, 0], 40)).toBe('  ');
  expect(drawSparkline([], 40)).toBe('');
  expect(drawSparkline([1, 1_000_000], 40)).toBe('▁█');
});

test('a sparkline with more values than cells sums adjacent values', () => {
  expect(drawSparkline([1, 1, 2, 2, 4, 4], 3)).toBe('▂▄█');
  expect(drawSparkline(Array<number>(100).fill(1), 30)).toHaveLength(25);
});
