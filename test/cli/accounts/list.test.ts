import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startAdmin, type Admin } from '../../support/gateway/admin.ts';
import { cliFor } from '../../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof cliFor>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = cliFor(admin);
});
afterAll(() => admin.stop());

test('accounts are listed, newest first, and found', async () => {
  expect(await cli.text('accounts', 'list')).toBe('No accounts.\n');
  const make = async (owner: string, plan: string) =>
    (await admin.post('/v1/accounts', { owner, name: `${owner} Ltd`, plan, email: `ann@${owner}.example` })).body.id;
  const [acme, globex] = [await make('acme', 'free'), await make('globex', 'pro')];
  const [header, first, second] = (await cli.text('accounts', 'list')).split('\n');
  expect(header).toMatch(/^ID +OWNER +NAME +EMAIL +PLAN +STATUS +SIGNED IN$/);
  expect(first).toMatch(new RegExp(`^${globex} +globex +globex Ltd +ann@globex.ex.* +pro +active +never$`));
  expect(second).toMatch(new RegExp(`^${acme} +acme `));
  for (const filter of [
    ['--plan', 'free'],
    ['--search', 'ANN@ACME'],
  ]) {
    expect((await cli.json('accounts', 'list', ...filter)).items).toEqual([expect.objectContaining({ id: acme })]);
  }
  expect((await cli.json('accounts', 'list', '--status', 'disabled')).items).toEqual([]);
  const { err } = await cli.run(['accounts', 'list', '--limit', '1']);
  expect(err).toBe('There are more: see --limit and --all.\n');
});
