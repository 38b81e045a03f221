import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './support/gateway/gateway.ts';
import { run, runGateway } from './support/gateway/process.ts';
import { tempFolder } from './support/temp-folder.ts';

/**
 * An operator works with the gateway and the command line in separate processes. At the end, all files and output are
 * searched for every secret that was created.
 */
const VIEWER = 'the-token-of-the-dashboard-of-the-team';

let folder: ReturnType<typeof tempFolder>;
let gateway: Awaited<ReturnType<typeof runGateway>>;
const secrets = new Set<string>();
/** Output in which no secret may occur. */
const outputs: string[] = [];

beforeAll(async () => {
  folder = tempFolder();
  const shipped = readFileSync(join(root, 'config/gateway.yaml'), 'utf8');
  writeFileSync(
    join(folder.path, 'gateway.yaml'),
    shipped
      .replace('plans: plans', `plans: ${root}/config/plans`)
      .replace('openapi: ', `openapi: ${root}/config/`)
      .replace('../src', `${root}/src`)
      .replace('adminTokens: []', "adminTokens: [{ name: dashboard, role: viewer, token: '${DASHBOARD_TOKEN}' }]"),
  );
  const env = {
    TOLLGATE_CONFIG: join(folder.path, 'gateway.yaml'),
    DASHBOARD_TOKEN: VIEWER,
    TOLLGATE_LOG_LEVEL: 'trace',
  };
  gateway = await runGateway(folder.path, env);
  const [demoKey = ''] = await gateway.waitForOutput(/tg_live_\w{38}/);
  secrets.add(demoKey);
  secrets.add(readFileSync(join(folder.path, 'admin-token'), 'utf8').trim());
  secrets.add(VIEWER);
});
afterAll(async () => {
  gateway.child.kill('SIGKILL');
  await gateway.ended();
  folder.remove();
});

/** Runs a command like an operator on the same machine, with only the gateway's location set. */
async function tollgate(args: readonly string[], env: Record<string, string> = {}) {
  const command = run('bin/tollgate.js', args, {
    TOLLGATE_ADMIN_URL: gateway.adminUrl,
    TOLLGATE_DATA_DIR: folder.path,
    ...env,
  });
  return { code: await command.ended(), output: command.output() };
}

/** Runs a command, and parses its JSON output. */
// oxlint-disable-next-line typescript/no-explicit-any -- the tests assert what they expect
async function runJson(...args: readonly string[]): Promise<any> {
  const { code, output } = await tollgate([...args, '--json']);
  expect({ args, code, output }).toEqual({ args, code: 0, output: expect.stringMatching(/^\{/) });
  const { key, ...rest } = JSON.parse(output);
  if (key !== undefined) secrets.add(key);
  outputs.push(JSON.stringify(rest));
  return { key, ...rest };
}

async function statuses(key: string, count = 1): Promise<number[]> {
  const call = async () => (await fetch(`${gateway.publicUrl}/pets`, { headers: { 'x-api-key': key } })).status;
  return Promise.all(Array.from({ length: count }, call));
}

test('an operator can create keys, watch, ban, explain and rotate over a whole day', async () => {
  // A new customer gets a key.
  const shop = await runJson(
    'keys',
    'create',
    '--owner',
    'acme',
    '--name',
    'Shop',
    '--plan',
    'pro',
    '--reason',
    'order 1',
  );
  expect(await statuses(shop.key)).toEqual([200]);
  expect((await runJson('keys', 'list', '--owner', 'acme')).items).toMatchObject([{ id: shop.id }]);

  // After the rotation, both secrets work during the grace period and share their counts.
  const next = await runJson('keys', 'rotate', shop.id, '--grace-seconds', '3600', '--reason', 'yearly');
  expect(await Promise.all([statuses(shop.key), statuses(next.key)])).toEqual([[200], [200]]);
  expect(await runJson('usage', next.id)).toMatchObject({ quotaId: shop.id, windows: [{ used: 3 }, { used: 3 }] });

  // The ban applies to both secrets from the next request until it is lifted.
  await runJson('bans', 'add', next.id, '--seconds', '600', '--reason', 'scraping');
  expect(await Promise.all([statuses(shop.key), statuses(next.key)])).toEqual([[403], [403]]);
  expect((await runJson('bans', 'list', '--status', 'active')).items).toMatchObject([{ keyId: next.id, manual: true }]);
  await runJson('bans', 'lift', next.id, '--reason', 'they called');
  expect(await statuses(next.key)).toEqual([200]);

  // Lower limits of a plan apply to all of its keys.
  writeFileSync(join(folder.path, 'plans.yaml'), 'plans: [{ id: pro, name: Pro, limits: { minute: 6, day: 9 } }]');
  const apply = ['plans', 'apply', join(folder.path, 'plans.yaml')];
  const refused = await tollgate(apply);
  expect([refused.code, refused.output]).toEqual([2, expect.stringContaining('~ pro  limits.minute: 300 → 6\n')]);
  const applied = await runJson(...apply, '--yes', '--reason', '2027 prices');
  expect(applied).toMatchObject({ applied: true, changed: [{ id: 'pro' }], kept: ['business', 'enterprise', 'free'] });
  expect((await statuses(next.key, 4)).toSorted((one, other) => one - other)).toEqual([200, 200, 429, 429]);
  expect((await runJson('usage', 'reset', next.id, '--reason', 'our fault')).windows).toMatchObject([
    { used: 0 },
    { used: 0 },
  ]);
  expect(await statuses(next.key)).toEqual([200]);

  // Many keys are imported at once.
  const wanted = Array.from({ length: 300 }, (_, index) => `bulk,key ${index},free`);
  writeFileSync(join(folder.path, 'keys.csv'), ['owner,name,plan', ...wanted].join('\n'));
  const output = join(folder.path, 'secrets.csv');
  expect(await runJson('keys', 'import', join(folder.path, 'keys.csv'), '--output', output)).toEqual({
    imported: 300,
    unchanged: 0,
    output,
  });
  const imported = readFileSync(output, 'utf8').match(/tg_live_\w{38}/g) ?? [];
  expect(await statuses(imported[299] ?? '')).toEqual([200]);
  for (const secret of imported) secrets.add(secret);

  // A leaked secret is replaced without a grace period, and a customer leaves.
  const leaked = await runJson('keys', 'create', '--owner', 'other', '--name', 'Bot', '--plan', 'free');
  await runJson('keys', 'rotate', leaked.id, '--grace-seconds', '0', '--reason', 'leak');
  expect(await statuses(leaked.key)).toEqual([401]);
  await runJson('keys', 'disable', next.id);
  expect(await statuses(next.key)).toEqual([401]);
  await runJson('keys', 'enable', next.id);
  expect(await statuses(next.key)).toEqual([200]);
  await runJson('keys', 'revoke', next.id, '--reason', 'left us');
  expect(await statuses(next.key)).toEqual([401]);

  // The token of the dashboard may only read.
  const dashboard = { TOLLGATE_ADMIN_TOKEN: VIEWER };
  expect((await tollgate(['plans', 'list'], dashboard)).code).toBe(0);
  const denied = await tollgate(['keys', 'revoke', shop.id], dashboard);
  expect([denied.code, denied.output]).toEqual([1, expect.stringContaining('This token is read-only')]);

  // The audit log contains every change with its reason.
  const audit = await runJson('audit', 'list', '--actor', 'admin', '--all');
  const entries = audit.items.map(({ action, reason }: Record<string, string>) => `${action}: ${reason}`);
  expect(entries.filter((entry: string) => !entry.endsWith(': null')).toReversed()).toEqual([
    'key.create: order 1',
    'key.rotate: yearly',
    'key.create: yearly',
    'ban.start: scraping',
    'ban.lift: they called',
    'plan.put: 2027 prices',
    'usage.reset: our fault',
    'key.rotate: leak',
    'key.create: leak',
    'key.revoke: left us',
    'key.revoke: left us',
  ]);
  // Four entries have no reason. One of them is about the replaced key, which was disabled together with its successor.
  expect(audit.items).toHaveLength(11 + 300 + 4);
});

test('secrets appear only where they are meant to be shown', async () => {
  for (const args of [
    ['keys', 'list', '--all'],
    ['bans', 'list'],
    ['audit', 'list', '--all'],
    ['plans', 'list'],
  ]) {
    outputs.push((await tollgate(args)).output);
  }
  const probe = await fetch(`${gateway.adminUrl}/metrics`);
  outputs.push(await probe.text());
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended()).toBe(0);

  const [demoKey = ''] = secrets;
  // The demo key is shown once, on the terminal of the first start, and nowhere else.
  const places = new Map([
    ['the log', gateway.output().replace(demoKey, '')],
    ['the output of commands', outputs.join('\n')],
  ]);
  for (const name of readdirSync(folder.path)) {
    if (name !== 'admin-token' && name !== 'secrets.csv')
      places.set(name, readFileSync(join(folder.path, name), 'latin1'));
  }
  expect([...places.keys()]).toEqual(expect.arrayContaining(['tollgate.db', 'petstore.db', 'gateway.yaml']));
  expect(secrets.size).toBeGreaterThan(300);
  for (const [place, text] of places) {
    expect(text.length).toBeGreaterThan(0);
    const found = [...secrets].filter((secret) => text.includes(secret));
    expect({ place, found }).toEqual({ place, found: [] });
  }
});
