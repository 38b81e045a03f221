import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NOW, startAdmin, type Admin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';
import { facts } from '../support/history/refusals.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeAll(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
  const refusal = { requestId: 'trace-1', quotaId: 'key_a', keyId: 'key_a', at: NOW - 60_000, facts: { ...facts } };
  await admin.history.keepRefusals([refusal, { ...refusal, quotaId: 'key_b', keyId: 'key_b', at: NOW - 30_000 }]);
});
afterAll(() => admin.stop());

test('every refusal with the given request id is explained in sentences', async () => {
  const text = await cli.text('explain', 'trace-1');
  const [first = '', second = ''] = text.split('\n\n');
  expect(first).toMatch(/^With key_b:\n {2}At 2026-06-15 11:59:30 UTC, a call to listPets was refused with 429 /);
  expect(first).toMatch(/\n {2}What to do: /);
  expect(second).toMatch(/^With key_a:\n {2}At 2026-06-15 11:59:00 UTC, /);
  const [, timeline = ''] = second.trimEnd().split('\n  Timeline (UTC):\n');
  expect(timeline.split('\n')).toEqual(
    (await cli.json('explain', 'trace-1')).refusals[1].timeline.map(
      ({ at, text: what }: Record<string, string>) => `    ${at!.slice(0, 19).replace('T', ' ')}  ${what}`,
    ),
  );
  expect(timeline).toMatch(/^ {4}2026-06-15 11:59:00 {2}This request was refused with 429 rate_limit_exceeded/m);
  const json = await cli.json('explain', 'trace-1');
  expect(json).toEqual((await admin.get('/v1/requests/trace-1')).body);
});

test('--answer prints a text for the customer', async () => {
  const text = await cli.text('explain', 'trace-1', '--answer');
  expect(text).toMatch(/^Your request GET .* at 2026-06-15 11:59:30 UTC was refused with 429 rate_limit_exceeded/);
  expect(text).not.toContain('With key_');
});

test('if no refusal with the id is stored, the error says which refusals are stored', async () => {
  const { code, out, err } = await cli.run(['explain', 'trace-2']);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(
    /^tollgate: No refused request with this id is stored\. The request may have been served, or sent without a valid key\. /,
  );
  expect((await cli.run(['explain'])).code).toBe(2);
  expect(err).toContain('Refusals are stored for 48 hours. If there are very many in a minute, only some are stored.');
  expect(err).toContain('search the log for this id');
  expect(err).toContain('tollgate usage history --key KEY --by outcome');
});
