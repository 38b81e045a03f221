import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createProxy, type Proxy } from '../support/gateway/admin-proxy.ts';
import { createCli } from '../support/gateway/cli.ts';
import { createNewKey } from '../support/registry-data.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
let proxy: Proxy | undefined;
let owners = 0;
beforeAll(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => {
  proxy?.stop();
  proxy = undefined;
});
afterAll(() => admin.stop());

const change = { actor: 'setup', reason: null, at: NOW };
async function owned(count: number) {
  const owner = `owner${(owners += 1)}`;
  const keys = Array.from({ length: count }, () => createNewKey({ owner }));
  await admin.registry.createKeys(keys, change);
  return { owner, ids: keys.map(({ id }) => id) };
}
async function count(owner: string, status: 'active' | 'disabled' | 'revoked') {
  return (await admin.registry.listKeys({ owner, status }, { limit: 1000 })).items.length;
}
async function through(breakAt: Proxy['breakAt'], path = '/keys/bulk') {
  proxy = await createProxy(admin.url, path, breakAt);
  return { TOLLGATE_ADMIN_URL: proxy.url };
}
/** Finds the command that a message suggests. */
const suggestedCommand = (err: string) => {
  const words = /\n {2}tollgate (.+)\n?$/.exec(err)?.[1] ?? '';
  return [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
};

describe('many keys', () => {
  test('are listed, and disabled after confirmation', async () => {
    const { owner } = await owned(500);
    const no = await cli.run(['keys', 'disable', '--owner', owner], { answer: 'n' });
    expect(no.out).toMatch(/^The 10 newest of 500 keys:\n\nID +OWNER/);
    expect(no.err).toBe('Disable 500 keys? [y/N] ');
    expect(no.out).toContain('Canceled. No keys were changed.\n');
    expect(await count(owner, 'active')).toBe(500);

    const { code, out, err } = await cli.run(['keys', 'disable', '--owner', owner, '--reason', 'left'], {
      answer: 'y',
    });
    expect(code).toBe(0);
    const [, id] = /Disabled 500 keys \((bulk_\w+)\)\.\nTo undo, run "tollgate keys enable --bulk \1"\.\n$/.exec(out)!;
    expect(err).toContain('If this is interrupted, continue with:\n  tollgate keys disable --owner ');
    expect(err).toMatch(/\r\[#{30}\] 500 of 500 done\n$/);
    expect(await count(owner, 'disabled')).toBe(500);
    const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
    expect(entry).toMatchObject({ action: 'bulk.start', reason: 'left', after: { owner, keys: 500 } });

    expect(await cli.text('keys', 'enable', '--bulk', id!, '--yes')).toContain('Enabled 500 keys');
    expect(await count(owner, 'active')).toBe(500);
    const listed = await cli.json('audit', 'list', '--bulk', id!, '--all');
    expect(listed.items).toHaveLength(501);
  });

  test('are not changed without a terminal or --yes', async () => {
    const { owner } = await owned(2);
    const { code, err } = await cli.run(['keys', 'revoke', '--owner', owner]);
    expect([code, err]).toEqual([2, 'tollgate: no keys were changed: use --yes to confirm without a terminal\n']);
    expect(await cli.json('keys', 'revoke', '--owner', owner, '--yes')).toMatchObject({
      action: 'revoke',
      changed: 2,
      finished: true,
    });
    expect(await cli.text('keys', 'revoke', '--owner', owner, '--yes')).toBe('There are no matching keys to revoke.\n');
  });

  test('can be selected by id', async () => {
    const { owner, ids } = await owned(3);
    expect(await cli.text('keys', 'disable', ids[0]!, ids[1]!, '--yes')).toContain('Disabled 2 keys (bulk_');
    expect(await count(owner, 'active')).toBe(1);
    const { err } = await cli.run(['keys', 'disable', ids[2]!, 'key_none', '--yes']);
    expect(err).toContain('filter.ids.1 is unknown: there is no key key_none');
  });

  test('are not changed by a dry run, which suggests a command that changes exactly the listed keys', async () => {
    const { owner } = await owned(3);
    const out = await cli.text('keys', 'revoke', '--owner', owner, '--dry-run');
    expect(out).toMatch(/^3 keys:\n/);
    expect(await count(owner, 'active')).toBe(3);
    const command = suggestedCommand(out);
    const key = (await admin.post('/v1/keys', { name: 'new', owner, plan: 'free' })).body;
    const changed = await cli.run(command);
    expect([changed.code, changed.err]).toEqual([1, expect.stringContaining('Preview them again')]);
    await admin.delete(`/v1/keys/${key.id}`);
    expect(await cli.text(...command)).toContain('Revoked 3 keys');
    expect(await cli.json('keys', 'revoke', '--owner', owner, '--dry-run')).toMatchObject({ keys: 0, total: 0 });
  });

  test('are changed completely by the suggested command if a lost response interrupts the change', async () => {
    const { owner } = await owned(250);
    const env = await through({ call: 3, cut: 'answer' });
    const { code, err } = await cli.run(['keys', 'disable', '--owner', owner, '--reason', "it's over", '--yes'], {
      env,
    });
    expect(code).toBe(1);
    expect(err).toContain('100 of 250 are done. To continue, run:\n');
    expect(await count(owner, 'disabled')).toBe(200);
    const out = await cli.text('keys', 'disable', '--owner', owner, '--digest', /--digest (\S+)/.exec(err)![1]!);
    expect(out).toMatch(/^Disabled 250 keys \(bulk_/);
    expect(await count(owner, 'disabled')).toBe(250);
  });

  test('that belong to one rotation chain are counted alike in the preview and in the result', async () => {
    const { owner, ids } = await owned(1);
    await admin.post(`/v1/keys/${ids[0]}/rotate`, {});
    const disabled = await cli.text('keys', 'disable', '--owner', owner, '--yes');
    const [, bulk] = /^2 keys:\n[^]*\nDisabled 2 keys \((bulk_\w+)\)/.exec(disabled)!;
    const enabled = await cli.text('keys', 'enable', '--bulk', bulk!, '--yes');
    expect(enabled).toMatch(/^2 keys:\n[^]*\nEnabled 2 keys \(bulk_/);
    expect(await count(owner, 'active')).toBe(2);
  });

  test('are banned by quota, and their bans can be lifted together', async () => {
    const { owner, ids } = await owned(3);
    await admin.post(`/v1/keys/${ids[0]}/rotate`, {});
    const texts = ['--reason', 'a b', '--message', 'Slow down.'];
    const preview = await cli.text('bans', 'add', '--owner', owner, '--seconds', '60', ...texts, '--dry-run');
    expect(preview).toMatch(/^4 keys with 3 quotas:\n/);
    const out = await cli.text(...suggestedCommand(preview));
    const undo = /^Started 3 bans \((bulk_\w+)\)\.\nTo undo, run "tollgate bans lift --bulk \1 --reason TEXT"\.\n$/;
    const [, bulk] = undo.exec(out)!;
    const { items } = (await admin.get(`/v1/bans?owner=${owner}&limit=1`)).body;
    expect(items).toMatchObject([{ reason: 'a b', message: 'Slow down.' }]);
    const lift = ['bans', 'lift', '--bulk', bulk!, '--reason', 'over', '--yes'];
    expect(await cli.text(...lift)).toMatch(/\nLifted 3 bans \(bulk_\w+\)\.\n$/);
  });

  test('can be selected by time without use, status and expiry, and the command to continue has the same filters', async () => {
    const owner = `owner${(owners += 1)}`;
    const createdAt = NOW - 100 * 86_400_000;
    const keys = [
      createNewKey({ owner, name: 'old', createdAt }),
      createNewKey({ owner, name: 'ends', createdAt: NOW, expiresAt: NOW + 1000 }),
      createNewKey({ owner, name: 'disabled', status: 'disabled' }),
    ];
    await admin.registry.createKeys(keys, change);
    const found = async (...filter: string[]) =>
      (await cli.json('keys', 'revoke', '--owner', owner, ...filter, '--dry-run')).sample.map(
        ({ name }: { name: string }) => name,
      );
    expect(await found('--expires-within', '1d')).toEqual(['ends']);
    expect(await found('--status', 'disabled')).toEqual(['disabled']);
    expect(await found('--status', 'rotating')).toEqual([]);
    const preview = await cli.text('keys', 'disable', '--owner', owner, '--unused-for', '90d', '--dry-run');
    expect(preview).toContain(`tollgate keys disable --owner ${owner} --unused-for 90d --digest `);
    expect(preview).toContain('\nNone of the keys was used today (UTC).\n');
    await admin.registry.touchKeys(new Map([[keys[1]!.id, NOW]]));
    const more = await cli.text('keys', 'revoke', '--owner', owner, '--dry-run');
    expect(more).toContain('\n1 of the keys was used today (UTC).\n');
    expect(await cli.text(...suggestedCommand(preview))).toMatch(/^Disabled 1 key \(bulk_/);
    expect((await admin.registry.getKey(keys[0]!.id))?.status).toBe('disabled');
  });

  test('that were used during the change are left unchanged and counted', async () => {
    const owner = `owner${(owners += 1)}`;
    const keys = Array.from({ length: 101 }, () => createNewKey({ owner, createdAt: NOW - 100 * 86_400_000 }));
    await admin.registry.createKeys(keys, change);
    const before = () => admin.registry.touchKeys(new Map([[keys[0]!.id, NOW]]));
    const env = await through({ call: 3, before });
    const { out } = await cli.run(['keys', 'disable', '--owner', owner, '--unused-for', '90d', '--yes'], { env });
    expect(out).toMatch(/\nDisabled 100 keys \(bulk_\w+\)\.\n1 key no longer matched and did not change\.\n/m);
  });

  test.each([
    [['keys', 'disable'], 'give ids of keys, or at least one of --owner, --plan, --search, --status, --unused-for, '],
    [['keys', 'disable', '--unused-for', 'long'], 'Use a number and a unit'],
    [['keys', 'disable', '--status', 'revoked'], 'Allowed choices are'],
    [['bans', 'lift', '--reason', 'a'], 'give ids of keys, or at least one of'],
    [['keys', 'disable', '--owner', ''], 'It is empty.'],
    [['keys', 'disable', '--search', 'a'], 'Use at least 3 characters.'],
    [['keys', 'disable', '--bulk', 'a'], 'Use the id of a bulk change'],
    [['keys', 'disable', '--owner', 'a', '--chain'], '--chain can only be used with one key'],
    [['keys', 'disable', '--owner', 'a', '--dry-run', '--digest', 'a'], 'cannot be combined'],
    [
      ['keys', 'rotate'],
      'give the id of a key, or at least one of --owner, --plan, --search, --unused-for and --expires-within',
    ],
    [['keys', 'rotate', 'key_a', '--owner', 'a'], 'give either the id of a key or a filter'],
    [['keys', 'rotate', '--owner', 'a'], '--output is required'],
    [['keys', 'revoke', '--owner', `tg_live_${'aB3'.repeat(12)}zz`], 'this is the secret of a key'],
  ])('are not changed by the arguments %j, which are a usage error', async (args, message) => {
    const { code, err } = await cli.run(args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('rotation of many keys', () => {
  const rows = (file: string) =>
    readFileSync(join(admin.folder, file), 'utf8').trimEnd().split('\n').map((line) => line.split(',')); // prettier-ignore
  const rotate = (owner: string, file: string) => ['keys', 'rotate', '--owner', owner, '--output', file];

  test('every active key is rotated once, and all secrets are in a file that only its owner can read', async () => {
    const { owner, ids } = await owned(12);
    await admin.registry.updateKey(ids[0]!, { status: 'disabled' }, change);
    await admin.registry.updateKey(ids[1]!, { expiresAt: NOW - 1 }, change);
    const replaced = (await admin.post(`/v1/keys/${ids[2]}/rotate`, {})).body;
    const canceled = await cli.run(rotate(owner, 'none.csv'), { answer: '' });
    expect(canceled.err).toContain('Rotate 10 keys? [y/N] ');
    expect(readdirSync(admin.folder)).not.toContain('none.csv');

    const out = await cli.text(...rotate(owner, 'all.csv'), '--grace-seconds', '60', '--reason', 'leak', '--yes');
    const path = join(admin.folder, 'all.csv');
    expect(out).toContain(`Rotated 10 keys. The secrets are in ${path}, which only you can read.\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const [head, ...written] = rows('all.csv');
    expect(head).toEqual(['owner', 'name', 'plan', 'replaces', 'id', 'key']);
    expect(new Set(written.map(([, , , old]) => old))).toEqual(new Set([replaced.id, ...ids.slice(3)]));
    for (const [, , , old, id, secret] of written) {
      const { body } = await admin.get(`/v1/keys/${old}`);
      expect([body.rotatedTo, Date.parse(body.expiresAt)]).toEqual([id, NOW + 60_000]);
      expect(secret).toMatch(/^tg_live_\w{38}$/);
    }
    const { err } = await cli.run([...rotate(owner, 'all.csv'), '--yes']);
    expect(err).toContain('already exists, and secrets are only written to a new file');
  });

  test('the rotation can be limited to keys that expire soon or that are unused', async () => {
    const owner = `owner${(owners += 1)}`;
    const [expiring, unused] = [
      createNewKey({ owner, createdAt: NOW, expiresAt: NOW + 86_400_000 }),
      createNewKey({ owner, createdAt: NOW - 100 * 86_400_000 }),
    ];
    await admin.registry.createKeys([expiring, unused, createNewKey({ owner, createdAt: NOW })], change);
    await cli.text(...rotate(owner, 'expiring.csv'), '--expires-within', '2d', '--yes');
    await cli.text(...rotate(owner, 'unused.csv'), '--unused-for', '90d', '--yes');
    const rotated = ['expiring.csv', 'unused.csv'].map((file) => rows(file).slice(1).map(([, , , old]) => old)); // prettier-ignore
    expect(rotated).toEqual([[expiring.id], [unused.id]]);
  });

  test('old keys can stay valid until they are no longer used, also those that the suggested command rotates', async () => {
    const { owner, ids } = await owned(3);
    const env = await through({ call: 2, cut: 'answer' }, '/rotate');
    const { err } = await cli.run([...rotate(owner, 'quiet.csv'), '--grace-until', 'quiet', '--yes'], { env });
    const rest = suggestedCommand(err).map((word) => (word === 'OTHER-FILE' ? 'quiet-rest.csv' : word));
    admin.time.now += 1000;
    await cli.text(...rest, '--yes');
    for (const id of ids) expect((await admin.get(`/v1/keys/${id}`)).body.grace).toMatchObject({ until: 'quiet' });
  });

  test('a key whose secret was lost with the response is reported, and the suggested command rotates the remaining keys', async () => {
    const { owner, ids } = await owned(5);
    const env = await through({ call: 3, cut: 'answer' }, '/rotate');
    const { code, err, out } = await cli.run([...rotate(owner, 'part.csv'), '--yes'], { env });
    expect([code, out]).toEqual([1, expect.stringContaining('5 keys')]);
    const lost = ids[2]!;
    expect(err).toContain(`stopped at key ${lost}: `);
    expect(err).toContain('  rotated:     2 keys (secrets in part.csv)\n');
    expect(err).toContain(`  unknown:     ${lost} (the new secret is lost if the key was rotated`);
    expect(err).toContain('  not rotated: 2 keys\n');
    const rest = suggestedCommand(err).map((word) => (word === 'OTHER-FILE' ? 'rest.csv' : word));
    admin.time.now += 1000;
    expect(await cli.text(...rest, '--yes')).toContain('Rotated 2 keys.');
    const done = [...rows('part.csv').slice(1), ...rows('rest.csv').slice(1)].map(([, , , old]) => old);
    expect(new Set(done)).toEqual(new Set(ids.filter((id) => id !== lost)));
    expect((await admin.get(`/v1/keys/${lost}`)).body.rotatedTo).not.toBeNull();
  });

  test('keys that changed in the meantime are reported, and the others are rotated', async () => {
    const { owner, ids } = await owned(3);
    const revoke = () => admin.delete(`/v1/keys/${ids[0]}`);
    const env = await through({ call: 1, before: revoke }, '/rotate');
    const { code, err } = await cli.run([...rotate(owner, 'two.csv'), '--yes'], { env });
    expect(code).toBe(1);
    expect(err).toMatch(/rotated 2 keys \(secrets in .*two.csv\), but not these.*:\n {2}key_\w+: Key .* is revoked/);
    expect(rows('two.csv')).toHaveLength(3);
  });
});
