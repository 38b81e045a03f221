import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Admin, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { free } from '../support/registry-data.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterAll(() => admin.stop());

test('changes are listed newest first, with actor and reason', async () => {
  const { id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body;
  const headers = { 'X-Change-Reason': 'upgrade' };
  await admin.call('PATCH', `/v1/keys/${id}`, { json: { plan: 'pro', name: 'b' }, headers });
  const lines = (await cli.text('audit', 'list', '--subject', id)).trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^TIME \(UTC\) +ACTOR +ACTION +SUBJECT +CHANGE +REASON$/),
    `2026-06-15 12:00:00  ops    key.update  ${id}  name a → b, plan free → pro  upgrade`,
    `2026-06-15 12:00:00  ops    key.create  ${id}  a`,
  ]);
  expect((await cli.json('audit', 'list', '--subject', id)).items[0]).toMatchObject({
    before: { plan: 'free', name: 'a' },
    after: { plan: 'pro', name: 'b' },
  });
});

test('changed limits are shown in a short form', async () => {
  const { id: _, ...rest } = free;
  await admin.put('/v1/plans/free', { ...rest, limits: { minute: 90, day: 2000 } });
  expect(await cli.text('audit', 'list', '--limit', '1', '--subject', 'free', '--action', 'plan.put')).toMatch(
    /plan\.put +free +limits 60\/1000 → 90\/2000\n$/,
  );
});

test('entries can be filtered by actor, action and time', async () => {
  const of = async (...args: string[]) => (await cli.json('audit', 'list', ...args)).items.length;
  expect(await of('--actor', 'system')).toBe(3);
  expect(await of('--action', 'key.create')).toBe(1);
  expect(await of('--from', '2026-06-15T12:00:01Z')).toBe(0);
  expect(await of('--to', '2026-06-15T12:00:01Z', '--limit', '2')).toBe(2);
  const { code, err } = await cli.run(['audit', 'list', '--from', 'yesterday']);
  expect([code, err]).toEqual([1, expect.stringContaining('--from must be an RFC 3339 date-time')]);
});

test('in CSV, the values before and after a change are JSON', async () => {
  const csv = await cli.text('audit', 'list', '--actor', 'system', '--limit', '1', '--csv').catch(String);
  const all = await cli.text('audit', 'list', '--actor', 'system', '--csv');
  expect(all.split('\n')[0]).toBe('sequence,at,actor,action,subject,reason,before,after,bulkId,message');
  expect(all).toMatch(/^\d+,2026-06-15T12:00:00.000Z,system,plans.seed,free,,,"\{.*""id"":""free"".*\}",,$/m);
  expect(csv).toContain('There are more items');
  expect(await cli.run(['audit', 'list', '--csv', '--json'])).toMatchObject({ code: 2 });
});
