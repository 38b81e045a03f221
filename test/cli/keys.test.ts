import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../src/base/key-format.ts';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { cliFor } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterEach(() => admin.stop());

describe('create', () => {
  const shop = ['keys', 'create', '--owner', 'acme', '--name', 'Shop backend', '--plan', 'free'];
  const SECRET = /tg_live_\w{38}/g;

  test('a key is made, and its secret shown once', async () => {
    const out = await cli.text(...shop, '--reason', 'new customer');
    const [secret = '', ...others] = out.match(SECRET) ?? [];
    expect(others).toEqual([]);
    const key = (await admin.registry.findKeyByHash(hashSecret(secret)))?.key;
    expect(key).toMatchObject({ name: 'Shop backend', owner: 'acme', plan: 'free' });
    expect(out).toBe(
      `Key ${key?.id} of acme is made, on the plan free.\n` +
        `Its secret is shown this once, and kept nowhere:\n\n  ${secret}\n\n`,
    );
    const { items } = (await admin.get(`/v1/audit?subject=${key?.id}`)).body;
    expect(items).toEqual([expect.objectContaining({ action: 'key.create', reason: 'new customer' })]);
  });

  test('programs get one JSON document, with the secret in key', async () => {
    const made = await cli.json(...shop);
    expect(await admin.registry.findKeyByHash(hashSecret(made.key))).toMatchObject({ key: { id: made.id } });
  });

  test('a key on a custom plan carries its limits, and any key may expire', async () => {
    const args = ['--plan', 'enterprise', '--minute', '5', '--day', '10', '--expires-at', '2030-01-01T00:00:00+01:00'];
    const made = await cli.json('keys', 'create', '--owner', 'acme', '--name', 'a', ...args);
    expect(made).toMatchObject({ limits: { minute: 5, day: 10 }, expiresAt: '2029-12-31T23:00:00.000Z' });
  });

  test.each([
    [
      ['keys', 'create', '--owner', 'acme', '--plan', 'free'],
      "tollgate: required option '--name <name>' not specified",
    ],
    [[...shop, '--minute', '5'], 'tollgate: --minute and --day go together'],
    [[...shop, '--minute', 'five', '--day', '9'], 'It must be a whole number, at least 1.'],
    [[...shop, '--minute', '0', '--day', '9'], 'It must be a whole number, at least 1.'],
    [[...shop, '--expires-at', 'tomorrow'], 'It must be a date-time with its offset'],
    [[...shop, '--reason', ' '], 'It must be 1 to 500 characters, on one line.'],
    [[...shop, '--reason', 'two\nlines'], 'It must be 1 to 500 characters, on one line.'],
    [[...shop, '--reason', 'a\u202eb'], 'It must not have the invisible character U+202E'],
    [[...shop, '--token', 'x'], "tollgate: unknown option '--token'"],
    [[...shop, 'more'], 'tollgate: too many arguments'],
  ])('%j is a wrong command line', async (args, message) => {
    const { code, out, err } = await cli.run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  test('what the gateway refuses is told field by field', async () => {
    const { code, out, err } = await cli.run(['keys', 'create', '--owner', 'ä', '--name', ' ', '--plan', 'gold']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(
      'tollgate: the gateway does not take this:\n' +
        '  name must be text without control characters, and not blank\n' +
        '  owner must be printable ASCII, with no space at either end\n',
    );
    const unknown = await cli.run(['keys', 'create', '--owner', 'a', '--name', 'a', '--plan', 'gold']);
    expect(unknown.err).toContain('plan must be the id of a plan: there is no plan gold');
  });
});

describe('list', () => {
  let ids: string[];

  beforeEach(async () => {
    const keys = Array.from({ length: 130 }, (_, index) => ({ name: `key ${index}`, owner: 'bulk', plan: 'free' }));
    const own = { name: 'n'.repeat(128), owner: 'o'.repeat(128), plan: 'pro', expiresAt: '2026-07-01T00:00:00Z' };
    const { items } = (await admin.post('/v1/keys/import', { keys: [...keys, own] })).body;
    ids = items.map(({ id }: { id: string }) => id).toReversed();
  });

  test('people get a table as wide as their terminal with whole ids, newest first, and are told of more', async () => {
    const { code, out, err } = await cli.run(['keys', 'list'], { columns: 100 });
    const lines = out.trimEnd().split('\n');
    expect([code, lines.length, err]).toEqual([0, 101, 'There are more: see --limit and --all.\n']);
    expect(lines[0]).toMatch(/^ID +OWNER +NAME +PLAN +STATUS +EXPIRES +LAST USED$/);
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(ids.slice(0, 100));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines[1]).toMatch(/^key_\w{20} {2}o+… +n+… +pro +active +2026-07-01 +never$/);
  });

  test('a key that ended shows as expired', async () => {
    const { out } = await cli.run(['keys', 'list', '--plan', 'pro'], { now: Date.parse('2026-07-01T00:00:00Z') });
    expect(out.split('\n')[1]).toMatch(/ pro +expired +2026-07-01 /);
  });

  test('programs get all that was asked for in one document', async () => {
    const all = await cli.json('keys', 'list', '--all');
    expect(all.items.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.nextCursor).toBeNull();
    const some = await cli.json('keys', 'list', '--limit', '110');
    const rest = await cli.json('keys', 'list', '--cursor', some.nextCursor);
    expect([...some.items, ...rest.items].map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('it is narrowed by owner, plan and status', async () => {
    expect((await cli.json('keys', 'list', '--plan', 'pro')).items).toHaveLength(1);
    expect((await cli.json('keys', 'list', '--owner', 'bulk', '--all')).items).toHaveLength(130);
    expect(await cli.text('keys', 'list', '--status', 'revoked')).toBe('No keys.\n');
    const { code, err } = await cli.run(['keys', 'list', '--status', 'over']);
    expect([code, err]).toEqual([2, expect.stringContaining('Allowed choices are active, disabled, revoked.')]);
  });

  test('--search finds a part of the name; two characters are too few', async () => {
    const { items } = await cli.json('keys', 'list', '--search', 'KEY 77');
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['key 77']);
    const { code, err } = await cli.run(['keys', 'list', '--search', 'ab']);
    expect([code, err]).toEqual([2, expect.stringContaining('at least 3 characters')]);
  });
});

describe('show', () => {
  test('a key is shown whole, and never its secret', async () => {
    const limits = { minute: 5, day: 50 };
    const metadata = { ticket: 'T-1' };
    const given = { name: 'a\u200bb', owner: 'acme', plan: 'enterprise', limits, metadata };
    const { key, ...made } = (await admin.post('/v1/keys', given)).body;
    const out = await cli.text('keys', 'show', made.id);
    expect(out.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      `id: ${made.id}`,
      // What cannot be seen is marked.
      'name: a\ufffdb',
      'owner: acme',
      'plan: enterprise',
      'limits: 5 a minute, 50 a day',
      'status: active',
      `secret: ${made.prefix}…${made.lastFour}`,
      'created: 2026-06-15 12:00:00 UTC',
      'expires: never',
      'last used: never',
      `counts as: ${made.id}`,
      'replaced by: none',
      'ticket: T-1',
      '',
    ]);
    expect(out).not.toContain(key);
    expect(await cli.json('keys', 'show', made.id)).toEqual(made);
  });

  test('an id that is none is told, and where the ids are', async () => {
    const { code, out, err } = await cli.run(['keys', 'show', 'key_none']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('tollgate: There is no key key_none.\n  "tollgate keys list" shows the ids\n');
  });

  // A secret in the place of an id went to the gateway as part of a path, into the logs on the way, and nobody was told
  // that it now stands in the history of the shell.
  test.each(
    [
      'keys show',
      'keys rotate',
      'keys revoke',
      'usage',
      'bans lift --reason x',
      'bans list --key',
      'audit list --subject',
      'keys',
      'keys show key_a',
      '',
    ].map((words) => [words]),
  )('a secret that is typed after "%s" is not sent, not shown, and warned of', async (words) => {
    const secret = `tg_live_${'aB3'.repeat(12)}zz`;
    const before = admin.logs.length;
    const { code, out, err } = await cli.run([...words.split(' ').filter(Boolean), secret]);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toContain(secret.slice(0, 20));
    // Of a word too many, or of no command, only the secret is left out.
    if (!['keys', 'keys show key_a', ''].includes(words))
      expect(err).toMatch(/is the secret of a key, .* history of your shell/);
    expect(admin.logs).toHaveLength(before);
  });

  test.each([
    ['..', 2],
    ['', 2],
    ['../plans', 1],
    ['%2e%2e', 1],
    ['a b?c#d', 1],
  ])('the id %j leads nowhere else', async (id, expected) => {
    const { code, out } = await cli.run(['keys', 'show', id]);
    expect([code, out]).toEqual([expected, '']);
  });
});

describe('update', () => {
  test('a key is changed, and shown as it is then; what is not named stays', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const text = await cli.text('keys', 'update', id, '--plan', 'pro', '--expires-at', '2027-12-31T00:00:00Z');
    expect(text).toMatch(/^plan +pro$/m);
    expect(text).toMatch(/^expires +2027-12-31 00:00:00 UTC$/m);
    const named = await cli.json('keys', 'update', id, '--name', 'b', '--expires-at', 'never', '--reason', 'paid');
    expect(named).toMatchObject({ id, name: 'b', plan: 'pro', expiresAt: null });
    const [entry] = (await admin.get(`/v1/audit?subject=${id}`)).body.items;
    expect(entry).toMatchObject({ action: 'key.update', reason: 'paid' });
    const limits = ['--plan', 'enterprise', '--minute', '5000', '--day', '2000000'];
    expect(await cli.json('keys', 'update', id, ...limits)).toMatchObject({ limits: { minute: 5000, day: 2_000_000 } });
  });

  test.each([
    [[], 'say what to change'],
    [['--minute', '5'], '--minute and --day go together'],
    [['--expires-at', 'soon'], 'such as 2027-12-31T00:00:00Z'],
  ])('%j is no change', async (options, message) => {
    const { code, err } = await cli.run(['keys', 'update', 'key_a', ...options]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('rotate', () => {
  const create = async () => (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;

  test('the new secret is shown, and until when the old one works', async () => {
    const { id } = await create();
    const out = await cli.text('keys', 'rotate', id);
    const [secret = ''] = /tg_live_\w{38}/.exec(out) ?? [];
    const next = (await admin.registry.findKeyByHash(hashSecret(secret)))?.key;
    expect(out).toBe(
      `Key ${next?.id} replaces ${id}. Its secret is shown this once, and kept nowhere:\n\n  ${secret}\n\n` +
        'The old one works until 2026-06-16 12:00:00 UTC.\n',
    );
  });

  test('a secret that leaked ends at once', async () => {
    const { id } = await create();
    expect(await cli.text('keys', 'rotate', id, '--grace-seconds', '0', '--reason', 'leak')).toMatch(
      /\nThe old one has ended\.\n$/,
    );
    expect((await admin.get(`/v1/audit?subject=${id}`)).body.items[0]).toMatchObject({ reason: 'leak' });
  });

  test('programs get the new key with its secret; a key that was rotated is told its successor', async () => {
    const { id } = await create();
    const next = await cli.json('keys', 'rotate', id, '--grace-seconds', '60');
    expect(await admin.registry.findKeyByHash(hashSecret(next.key))).toMatchObject({
      key: { id: next.id, quotaId: id },
    });
    const { code, err } = await cli.run(['keys', 'rotate', id]);
    expect(code).toBe(1);
    expect(err).toBe(`tollgate: Key ${id} was rotated already: rotate its successor ${next.id}.\n`);
    expect((await cli.run(['keys', 'rotate', id, '--grace-seconds', '-1'])).code).toBe(2);
  });
});

describe('revoke', () => {
  test('a key is revoked for good, with the reason, and again changes nothing', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    expect(await cli.text('keys', 'revoke', id, '--reason', 'left us')).toBe(
      `Key ${id} of acme is revoked, for good.\n`,
    );
    expect(await cli.json('keys', 'revoke', id)).toMatchObject({ id, status: 'revoked' });
    const { items } = (await admin.get(`/v1/audit?subject=${id}&action=key.revoke`)).body;
    expect(items).toEqual([expect.objectContaining({ reason: 'left us' })]);

    const { code, err } = await cli.run(['keys', 'enable', id]);
    expect([code, err]).toEqual([1, expect.stringContaining(`Key ${id} is revoked, for good: create a new key.`)]);
  });

  // The reason goes into a header, and anything but ASCII was refused.
  test('the reason may be in any language', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const reason = 'Vertrag gekündigt – 契約終了 🙂';
    await cli.text('keys', 'revoke', id, '--reason', reason);
    const { items } = (await admin.get(`/v1/audit?subject=${id}&action=key.revoke`)).body;
    expect(items).toEqual([expect.objectContaining({ reason })]);
  });

  test('without an id nothing is done', async () => {
    const { code, err } = await cli.run(['keys', 'revoke']);
    expect([code, err]).toEqual([2, expect.stringContaining("missing required argument 'id'")]);
  });

  test('--chain reaches the keys that replaced it', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    const next = (await admin.post(`/v1/keys/${id}/rotate`, {})).body;
    await cli.text('keys', 'revoke', id, '--chain');
    expect((await admin.get(`/v1/keys/${next.id}`)).body).toMatchObject({ status: 'revoked' });
  });
});

describe('disable', () => {
  test('a key is taken out of service, and it is said how to take that back', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    expect(await cli.text('keys', 'disable', id, '--reason', 'unpaid')).toBe(
      `Key ${id} of acme is disabled, and so is any key that it replaced: "tollgate keys enable" takes that back, key by key.\n`,
    );
    expect((await admin.get(`/v1/keys/${id}`)).body.status).toBe('disabled');
    expect((await cli.run(['keys', 'disable', 'key_none'])).err).toContain('"tollgate keys list" shows the ids');
  });
});

describe('enable', () => {
  test('a disabled key is put back into service', async () => {
    const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
    await admin.patch(`/v1/keys/${id}`, { status: 'disabled' });
    expect(await cli.text('keys', 'enable', id)).toBe(`Key ${id} of acme is active.\n`);
    const expiresAt = '2026-01-02T03:04:05Z';
    await admin.patch(`/v1/keys/${id}`, { expiresAt });
    expect(await cli.text('keys', 'enable', id)).toBe(
      `Key ${id} of acme is active, but it expired at 2026-01-02 03:04:05 UTC.\n`,
    );
    expect(await cli.json('keys', 'enable', id)).toMatchObject({ id, status: 'active' });
  });
});
