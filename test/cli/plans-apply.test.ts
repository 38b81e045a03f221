import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { StoreUnavailable } from '../../src/base/error-types.ts';
import { diffPlans } from '../../src/cli/plans-apply.ts';
import { type Plan, planFields } from '../../src/domain/plan.ts';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { addCounts } from '../support/history/counts.ts';
import { enterprise, free, pro } from '../support/registry-data.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => admin.stop());

const gold: Plan = { ...free, id: 'gold', name: 'Gold', limits: { minute: 10, day: 100 } };
const freer: Plan = {
  ...free,
  limits: { minute: 90, day: 1000 },
  description: 'more',
  priceText: '$5 a month',
  mode: 'shadow',
};
const APPLY = ['plans', 'apply', 'plans.yaml'];

function write(plans: readonly Partial<Plan>[]): void {
  writeFileSync(join(admin.folder, 'plans.yaml'), stringify({ plans }));
}

const registered = async () => (await admin.get('/v1/plans')).body.items;

const DIFF =
  '+ gold  "Gold", 10 a minute, 100 a day, local\n' +
  '~ free  description: "" → "more"\n' +
  '~ free  priceText: "" → "$5 a month"\n' +
  '~ free  limits.minute: 60 → 90\n' +
  '~ free  mode: "enforce" → "shadow"\n';

describe('the changes', () => {
  test('are shown and applied after confirmation, and plans that are not in the file are kept', async () => {
    write([freer, gold, enterprise]);
    const { code, out, err } = await cli.run([...APPLY, '--reason', 'prices'], { answer: 'y' });
    const kept = '  1 unchanged\n  not in the file, kept (use --prune to delete): pro\n';
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `${DIFF}${kept}Applied.\n`,
      err: 'Apply these changes? [y/N] ',
    });
    expect(await registered()).toEqual([enterprise, freer, gold, pro]);
    const { items } = (await admin.get('/v1/audit?actor=ops')).body;
    expect(items.map(({ subject, reason }: Record<string, string>) => [subject, reason])).toEqual([
      ['free', 'prices'],
      ['gold', 'prices'],
    ]);
  });

  test.each(['n', '', 'maybe'])('are shown but not applied if the answer is %j', async (answer) => {
    write([freer, gold, enterprise]);
    const { code, out } = await cli.run(APPLY, { answer });
    expect([code, out]).toEqual([0, expect.stringMatching(/Canceled\. No plans were changed\.\n$/)]);
    expect(await registered()).toEqual([enterprise, free, pro]);
  });

  test('are shown but not applied without a terminal', async () => {
    write([freer, gold, enterprise]);
    const { code, out, err } = await cli.run(APPLY);
    expect(code).toBe(2);
    expect(out).toContain(DIFF);
    expect(err).toBe('tollgate: no plans were changed: use --yes to apply without a terminal\n');
    expect(await registered()).toEqual([enterprise, free, pro]);
  });
});

test('--yes skips the prompt, and --prune deletes plans that are not in the file', async () => {
  write([free, enterprise]);
  expect(await cli.text(...APPLY, '--prune', '--yes')).toBe('- pro\n  2 unchanged\nApplied.\n');
  expect(await registered()).toEqual([enterprise, free]);
  expect(await cli.text(...APPLY, '--prune')).toBe('  2 unchanged\nPlans are already up to date.\n');
});

test('with --json, standard output has only the result', async () => {
  write([freer, gold]);
  const done = await cli.json(...APPLY, '--prune', '--yes');
  expect(done).toMatchObject({
    applied: true,
    added: ['gold'],
    deleted: ['enterprise', 'pro'],
    kept: [],
    unchanged: [],
  });
  expect(done.changed).toEqual([
    {
      id: 'free',
      fields: [
        { field: 'description', from: '', to: 'more' },
        { field: 'priceText', from: '', to: '$5 a month' },
        { field: 'limits.minute', from: 60, to: 90 },
        { field: 'mode', from: 'enforce', to: 'shadow' },
      ],
    },
  ]);
  write([free, gold]);
  const asked = await cli.run([...APPLY, '--json'], { answer: 'no' });
  expect(JSON.parse(asked.out)).toMatchObject({ applied: false, changed: [{ id: 'free' }] });
  expect(asked.err).toContain('~ free');
});

test('a plan that was changed in the meantime is not overwritten', async () => {
  write([gold, { ...free, name: 'Mine' }, { ...pro, name: 'Mine' }, enterprise]);
  const { url } = admin;
  // Changes the plan like another operator, before this one replies to the prompt.
  const meanwhile = async () => {
    const { id: _, ...rest } = free;
    await fetch(`${url}/v1/plans/free`, {
      method: 'PUT',
      headers: { authorization: 'Bearer an-admin-token-of-the-tests', 'content-type': 'application/json' },
      body: JSON.stringify({ ...rest, name: 'Theirs' }),
    });
    return 'y';
  };
  const { code, err } = await cli.run(APPLY, { answer: meanwhile });
  expect(code).toBe(1);
  expect(err).toContain(
    'plan free: someone else changed it in the meantime, and their change was not overwritten\n' +
      '  done: gold\n  not done: free, pro\n',
  );
  expect((await registered()).map(({ name }: Plan) => name)).toEqual(['Enterprise', 'Theirs', 'Gold', 'Pro']);
});

test('a plan in use is not deleted, and the error says how to list its keys', async () => {
  await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'pro' });
  write([free, enterprise]);
  const { code, err } = await cli.run([...APPLY, '--prune', '--yes']);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^tollgate: plan pro: Plan pro is used by accounts or by keys that are not revoked: move the accounts and keys to another plan, or revoke the keys, before you delete it\./,
  );
  expect(err).toContain(
    '"tollgate keys list --plan pro" and "tollgate accounts list --plan pro" show what uses it: move them',
  );
});

test('all errors of the file are reported at once, and nothing is sent', async () => {
  writeFileSync(
    join(admin.folder, 'plans.yaml'),
    'plans:\n  - { id: A, name: A, custom: true }\n  - { id: b, name: B }\n',
  );
  const { code, err } = await cli.run([...APPLY, '--yes']);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^tollgate: .*plans\.yaml has errors, and no plans were changed:\n {2}.*plans.yaml:2: plans\[0\].id must be .*\n {2}.*:3: /,
  );
  expect((await cli.run(['plans', 'apply', 'none.yaml'])).err).toMatch(/none.yaml: cannot be read \(ENOENT\)/);
});

/** Before it asks, `plans apply` lists the keys that stricter limits would have refused. */
describe('the preview of stricter limits', () => {
  let ids: string[];
  beforeEach(async () => {
    ids = [];
    for (let index = 0; index < 12; index++) {
      const { id } = (await admin.post('/v1/keys', { name: 'a', owner: `owner-${index}`, plan: 'free' })).body;
      await addCounts(admin.history, { keyId: id, minute: NOW - 60_000, requests: 20 + index });
      ids.push(id);
    }
  });

  async function apply(over: Partial<Plan>, ...args: readonly string[]) {
    writeFileSync(join(admin.folder, 'plans.yaml'), stringify({ plans: [{ ...free, ...over }, pro, enterprise] }));
    const { out, err } = await cli.run(['plans', 'apply', 'plans.yaml', ...args], { answer: 'n' });
    return { out: out.split('\n'), err };
  }

  // The period starts with the first request that was counted.
  const since = '(per minute since 2026-06-15 11:59:00, per day since 2026-06-15 UTC)';

  test('lists the keys that exceeded the new limits, how often, and by how much', async () => {
    const { out } = await apply({ limits: { minute: 29, day: 30 } });
    expect(out.slice(3)).toEqual([
      `  free: 2 of 12 keys exceeded the new limits ${since}:`,
      '  KEY                       OWNER     MINUTES           DAYS',
      `  ${ids[11]}  owner-11  1 (up to 2 over)  1 (up to 1 over)`,
      `  ${ids[10]}  owner-10  1 (up to 1 over)  none`,
      'Canceled. No plans were changed.',
      '',
    ]);
  });

  test('lists at most ten keys, starting with those that exceeded the limits most', async () => {
    const { out } = await apply({ limits: { minute: 19, day: 1000 } });
    expect(out[2]).toBe(`  free: 12 of 12 keys exceeded the new limits ${since}:`);
    expect(out.slice(4, 14).every((line) => line.startsWith('  key_'))).toBe(true);
    expect(out[14]).toBe('  and 2 more keys');
  });

  test('says if no key exceeded the new limits', async () => {
    const { out } = await apply({ limits: { minute: 59, day: 1000 } });
    expect(out[2]).toBe(`  free: no keys exceeded the new limits ${since}`);
  });

  test('is not shown for higher limits, for a plan in shadow mode, or with --yes', async () => {
    for (const over of [
      { limits: { minute: 90, day: 1000 } },
      { limits: { minute: 9, day: 9 }, mode: 'shadow' },
    ] as const) {
      expect((await apply(over)).out.join()).not.toContain('exceeded');
    }
    expect((await apply({ limits: { minute: 19, day: 1000 } }, '--yes')).out.join()).not.toContain('exceeded');
    // The limits were applied before, so only the name changes.
    expect((await apply({ limits: { minute: 19, day: 1000 }, name: 'New' })).out.join()).not.toContain('exceeded');
  });

  test('is shown for a plan that leaves shadow mode', async () => {
    const shadow = { limits: { minute: 19, day: 1000 }, mode: 'shadow' } as const;
    await apply(shadow, '--yes');
    expect((await apply({ ...shadow, mode: 'enforce' })).out.join()).toContain('free: 12 of 12 keys exceeded');
  });

  test('goes to standard error with --json, like the prompt', async () => {
    const { out, err } = await apply({ limits: { minute: 10, day: 1000 }, mode: 'enforce' }, '--json');
    expect(JSON.parse(out.join('\n'))).toMatchObject({ applied: false });
    expect(err).toMatch(/free: 12 of 12 keys exceeded .*\n.*Apply these changes\? \[y\/N\] $/s);
  });

  test('can fail without preventing the change', async () => {
    const gone = () => Promise.reject(new StoreUnavailable('away'));
    const other = await startAdmin({ registry: admin.registry, history: { ...admin.history, preview: gone } });
    writeFileSync(join(other.folder, 'plans.yaml'), stringify({ plans: [{ ...free, limits: { minute: 9, day: 9 } }] }));
    const { code, out } = await createCli(other).run(['plans', 'apply', 'plans.yaml'], { answer: 'n' });
    expect(code).toBe(0);
    expect(out).toMatch(/\n {2}free: no preview of refused requests: The store does not respond\. /);
    expect(out).toMatch(/\nCanceled\. No plans were changed\.\n$/);
    await other.stop();
  });
});

/**
 * `plans apply` once had its own list of fields, and reported a plan as unchanged if a field that was not in the list
 * had changed.
 */
describe('the comparison of fields', () => {
  const { id: _, ...terms } = free;

  test.each(Object.keys(terms) as (keyof typeof terms)[])('finds a plan that differs only in the field %s', (field) => {
    const wanted: Plan = { ...free, [field]: field === 'limits' ? null : 'another' };
    const { changed, unchanged } = diffPlans([wanted], [free], false);
    expect(changed).toEqual([{ plan: wanted, fields: [{ field, from: free[field], to: wanted[field] }] }]);
    expect(unchanged).toEqual([]);
  });

  test('covers every field of a plan', () => {
    expect(planFields.toSorted()).toEqual(Object.keys(free).toSorted());
  });
});
