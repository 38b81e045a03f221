import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Admin } from '../support/gateway/admin.ts';
import { NEXT, recordCalls, startCalledShop } from '../support/gateway/called-shop.ts';
import { createCli } from '../support/gateway/cli.ts';
import { createDocument } from '../support/gateway/reloading-gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeAll(async () => {
  admin = await startCalledShop();
  cli = createCli(admin);
  writeFileSync(join(folder.path, 'next.yaml'), stringify(NEXT));
});
afterAll(async () => {
  await admin.stop();
  folder.remove();
});

test('the command prints the changes, and fails if a breaking change affects callers', async () => {
  const file = join(folder.path, 'next.yaml');
  const run = (...more: string[]) => cli.run(['documents', 'diff', 'shop', file, ...more]);
  const { code, out, err } = await run();
  expect(code).toBe(1);
  expect(out).toContain('breaking   GET /pets was removed\n           called by 2 keys of 2 owners, last call');
  expect(out).toMatch(/^2 breaking changes, 0 warnings, 1 compatible change\. /m);
  expect(out).toContain("target: $['paths']['/pets']['get']");
  expect(err).toContain('1 breaking change of an operation that is called');
  expect((await run('--fail-on', 'never')).code).toBe(0);
  expect((await run('--fail-on', 'breaking')).code).toBe(1);
  const markdown = await run('--markdown', '--fail-on', 'never');
  expect(markdown.out).toContain('| breaking | GET /pets was removed | called by 2 keys of 2 owners, last call');
  expect(JSON.parse((await run('--json', '--fail-on', 'never')).out)).toMatchObject({ upstream: 'shop' });
  writeFileSync(file, stringify(createDocument({ pets: {}, orders: {} })));
  expect((await run('--days', '1')).code).toBe(0);
  expect((await run('--days', '1')).out).toContain('No affected operation was called in the last day.');
  expect((await run('--days', '1', '--fail-on', 'breaking')).code).toBe(1);
});

test('with two weeks of history, the command prints how many keys and owners a removal affects, and when they called last', async () => {
  const [minute, day] = [60_000, 86_400_000];
  const busy = await startCalledShop();
  try {
    // Advance the clock, because the first two keys and owners made their calls a minute before the present.
    busy.time.now += 2 * minute;
    const owners = ['acme', ...Array.from({ length: 7 }, (_, index) => `owner-${index}`)];
    // oxlint-disable-next-line no-await-in-loop -- one after the other, because calls are recorded in order
    for (let key = 0; key < 12; key++) await recordCalls(busy, ['pets'], owners[key % 8] ?? '', (key + 1) * day);
    const { run } = createCli(busy);
    const file = join(folder.path, 'two-weeks.yaml');
    writeFileSync(file, stringify(NEXT));
    const diff = (...more: string[]) => run(['documents', 'diff', 'shop', file, '--days', '14', ...more]);
    const { code, out } = await diff();
    expect(code).toBe(1);
    expect(out).toContain('GET /pets was removed\n           called by 14 keys of 9 owners, last call 3 minutes ago');
    expect(out).toContain('1 breaking change would affect 14 keys of 9 owners that called in the last 14 days.');
    const markdown = await diff('--markdown');
    expect(markdown.out).toContain(
      '| breaking | GET /pets was removed | called by 14 keys of 9 owners, last call 3 minutes ago |',
    );
    const { body } = await busy.call('POST', '/v1/documents/diff', {
      json: { upstream: 'shop', document: stringify(NEXT), days: 14 },
    });
    expect(body.summary).toMatchObject({ called: 1, keys: 14, owners: 9 });
    expect(body.changes[0].callers).toMatchObject({ keys: 14, owners: 9, requests: 15 });
    expect(Date.parse(body.changes[0].callers.lastAt)).toBe(busy.time.now - 3 * minute);
  } finally {
    await busy.stop();
  }
});
