import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Admin } from '../support/gateway/admin.ts';
import { NEXT, startCalledShop } from '../support/gateway/called-shop.ts';
import { cliFor } from '../support/gateway/cli.ts';
import { createDocument } from '../support/gateway/reloading-gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startCalledShop();
  cli = cliFor(admin);
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
