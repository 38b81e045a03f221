/** End to end, from a consumer's call to the output of the command as a separate process. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { root, startTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const settings = { plans: join(folder.path, 'plans.yaml') };
let gateway: TestGateway;

beforeAll(async () => {
  writeFileSync(settings.plans, stringify({ plans: [{ id: 'free', name: 'Free', limits: { minute: 3, day: 100 } }] }));
  const first = await startTestGateway({ dataDir: folder.path, settings });
  for (const path of ['/pets', '/pets/1', '/pets', '/pets']) {
    await (await first.call(path, { headers: { 'x-request-id': 'trace-1' } })).text();
  }
  // Stopping writes pending counts.
  await first.stop();
  gateway = await startTestGateway({ dataDir: folder.path, settings });
});
afterAll(async () => {
  await gateway.stop();
  folder.remove();
});

/** Runs a shell command in which `tollgate` calls the gateway. */
function shell(line: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const text = `tollgate() { ${process.execPath} ${join(root, 'bin/tollgate.js')} "$@"; }; ${line}`;
  const { adminUrl, adminToken } = gateway;
  const env = { PATH: process.env['PATH'], TOLLGATE_ADMIN_URL: adminUrl, TOLLGATE_ADMIN_TOKEN: adminToken };
  return new Promise((resolve) => {
    const child = execFile('bash', ['--norc', '-c', text], { env, cwd: folder.path }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('usage history shows the calls', async () => {
  const { out, err } = await shell('tollgate usage history --by operation');
  expect(err).toBe('');
  expect(out).toMatch(/\nOPERATION .*\nlistPets +3 +2 +1 +0 .*\ngetPet +1 +1 +0 +0 /);
  expect((await shell('tollgate usage history --by outcome --csv | cut -d, -f1 | sort -u')).out).toBe(
    'group\nrate_limit_exceeded\nserved\n',
  );
});

test('operations callers lists the key', async () => {
  const { out } = await shell('tollgate operations callers getPet --csv');
  expect(out).toMatch(/^key,owner,email,plan,.*\nkey_\w{20},demo,,free,20\S+Z,20\S+Z,1\n$/);
});

test('explain finds the refused request', async () => {
  const { out } = await shell('tollgate explain trace-1');
  expect(out).toMatch(
    /^With key_\w{20}:\n {2}At .* UTC, a call to listPets was refused with 429 rate_limit_exceeded\.\n/,
  );
  expect(await shell('tollgate explain trace-2')).toMatchObject({ code: 1, out: '' });
});

test('plans apply previews the refusals of a stricter plan', async () => {
  const plans = [{ id: 'free', name: 'Free', limits: { minute: 2, day: 100 } }];
  writeFileSync(join(folder.path, 'stricter.yaml'), stringify({ plans }));
  const { code, out } = await shell('tollgate plans apply stricter.yaml');
  expect([code, out]).toEqual([
    2,
    expect.stringMatching(/free: 1 of 1 key exceeded .*\n.*\n {2}key_\w{20} +demo +1 \(up to 2 over\) +none\n$/),
  ]);
});

test('usage delete removes the history and the explanations', async () => {
  const { out } = await shell(
    'tollgate usage delete --owner demo --reason "asked for it" && tollgate usage history --by key',
  );
  expect(out).toMatch(/^Deleted the history of 1 key of demo \(\d+ rows\)\.\n.*\nNo requests found\.\n$/);
  expect((await shell('tollgate explain trace-1')).code).toBe(1);
});
