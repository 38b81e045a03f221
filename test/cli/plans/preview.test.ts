/** `plans apply` tells whom stricter limits would have refused, before it asks. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { StoreUnavailable } from '../../../src/base/error-types.ts';
import type { Plan } from '../../../src/control-plane/registry/plans/plan.ts';
import { NOW, startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';
import { addCounts } from '../../support/history/counts.ts';
import { enterprise, free, pro } from '../../support/registry-data.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
const ids: string[] = [];
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
  for (let index = 0; index < 12; index++) {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: `owner-${index}`, plan: 'free' })).body;
    await addCounts(admin.history, { keyId: id, minute: NOW - 60_000, requests: 20 + index });
    ids.push(id);
  }
});
afterAll(() => admin.stop());

async function apply(over: Partial<Plan>, ...args: readonly string[]) {
  writeFileSync(join(admin.folder, 'plans.yaml'), stringify({ plans: [{ ...free, ...over }, pro, enterprise] }));
  const { out, err } = await cli.run(['plans', 'apply', 'plans.yaml', ...args], { answer: 'n' });
  return { out: out.split('\n'), err };
}

const since = 'in the minutes since 2026-06-13 12:00:00 and the days since 2024-06-16 UTC';

test('the keys that went above, how often, and by how much', async () => {
  const { out } = await apply({ limits: { minute: 29, day: 30 } });
  expect(out.slice(3)).toEqual([
    `  free: 2 keys went above the new limits ${since}:`,
    '  KEY                       OWNER     MINUTES          DAYS',
    `  ${ids[11]}  owner-11  1, by 2 at most  1, by 1 at most`,
    `  ${ids[10]}  owner-10  1, by 1 at most  none`,
    'Nothing was changed.',
    '',
  ]);
});

test('of many, the worst ten', async () => {
  const { out } = await apply({ limits: { minute: 19, day: 1000 } });
  expect(out[2]).toBe(`  free: 12 keys went above the new limits ${since}:`);
  expect(out.slice(4, 14).every((line) => line.startsWith('  key_'))).toBe(true);
  expect(out[14]).toBe('  and 2 more keys');
});

test('none is said to be none', async () => {
  const { out } = await apply({ limits: { minute: 59, day: 1000 } });
  expect(out[2]).toBe(`  free: no key went above the new limits ${since}`);
});

test('nothing is said of limits that rise, of a plan in shadow mode, and where nobody is asked', async () => {
  for (const over of [
    { limits: { minute: 90, day: 1000 } },
    { limits: { minute: 9, day: 9 }, mode: 'shadow' },
  ] as const) {
    expect((await apply(over)).out.join()).not.toContain('went above');
  }
  expect((await apply({ limits: { minute: 19, day: 1000 } }, '--yes')).out.join()).not.toContain('went above');
  // From now on with its new limits.
  expect((await apply({ limits: { minute: 19, day: 1000 }, name: 'New' })).out.join()).not.toContain('went above');
});

test('a plan that leaves the shadow mode begins to refuse', async () => {
  const shadow = { limits: { minute: 19, day: 1000 }, mode: 'shadow' } as const;
  await apply(shadow, '--yes');
  expect((await apply({ ...shadow, mode: 'enforce' })).out.join()).toContain('free: 12 keys went above');
});

test('with --json it goes where the question goes', async () => {
  const { out, err } = await apply({ limits: { minute: 10, day: 1000 }, mode: 'enforce' }, '--json');
  expect(JSON.parse(out.join('\n'))).toMatchObject({ applied: false });
  expect(err).toMatch(/free: 12 keys went above .*\n.*Apply this\? \[y\/N\] $/s);
});

test('what cannot be previewed can be applied all the same', async () => {
  const gone = () => Promise.reject(new StoreUnavailable('away'));
  const beside = await startAdmin({ registry: admin.registry, history: { ...admin.history, preview: gone } });
  writeFileSync(join(beside.folder, 'plans.yaml'), stringify({ plans: [{ ...free, limits: { minute: 9, day: 9 } }] }));
  const { code, out } = await cliFor(beside).run(['plans', 'apply', 'plans.yaml'], { answer: 'n' });
  expect(code).toBe(0);
  expect(out).toMatch(/\n {2}free: whom this would have refused cannot be said: The store does not answer: /);
  expect(out).toMatch(/\nNothing was changed\.\n$/);
  await beside.stop();
});
