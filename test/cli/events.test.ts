import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Admin, makeWebhook, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';

let admin: Admin;
let cli: ReturnType<typeof createCli>;
beforeEach(async () => {
  admin = await startAdmin();
  cli = createCli(admin);
});
afterEach(() => admin.stop());

describe('list', () => {
  let id: string;
  beforeEach(async () => {
    expect(await cli.text('events', 'list')).toBe('No events found.\n');
    ({ id } = (await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' })).body);
    admin.time.now += 1000;
    await admin.delete(`/v1/keys/${id}`);
  });

  test('events are listed newest first', async () => {
    const [head, ...lines] = (await cli.run(['events', 'list'], { columns: 100 })).out.trimEnd().split('\n');
    expect(head).toMatch(/^TIME \(UTC\) +TYPE +SUBJECT +OWNER +SOURCE +DATA$/);
    expect(lines).toEqual([
      expect.stringMatching(`^2026-06-15 12:00:01  key.revoked  ${id}  acme   gateway  name a, plan free, kind…$`),
      expect.stringMatching(`^2026-06-15 12:00:00  key.created  ${id}  acme   gateway  name a, plan free, kind…$`),
    ]);
  });

  test('events can be filtered by type, subject and time, and limited', async () => {
    const types = async (...args: string[]) =>
      (await cli.json('events', 'list', ...args)).items.map(({ type }: { type: string }) => type);
    expect(await types('--type', 'key.created')).toEqual(['key.created']);
    expect(await types('--subject', id)).toEqual(['key.revoked', 'key.created']);
    expect(await types('--sort', 'written')).toEqual(['key.created', 'key.revoked']);
    expect(await types('--from', '2026-06-15T12:00:01Z')).toEqual(['key.revoked']);
    expect(await types('--to', '2026-06-15T12:00:01Z')).toEqual(['key.created']);
    const { code, out, err } = await cli.run(['events', 'list', '--limit', '1']);
    expect([code, out.split('\n').length, err]).toEqual([
      0,
      3,
      'There are more items. Use --all to see all of them.\n',
    ]);
  });
});

describe('deliveries', () => {
  test('the deliveries of an event are listed with the result of the last attempt', async () => {
    expect(await cli.text('events', 'deliveries', 'evt_none')).toBe('No deliveries found.\n');
    const { id } = await makeWebhook(admin);
    const tried = (await admin.call('POST', `/v1/webhooks/${id}/test`)).body;
    const event = tried.eventId;
    const [head, line] = (await cli.text('events', 'deliveries', event)).split('\n');
    expect(head).toMatch(/^ID +CREATED \(UTC\) +WEBHOOK +STATUS +ATTEMPTS +LAST ATTEMPT$/);
    expect(line).toMatch(new RegExp(`^${tried.id} +2\\d{3}-.* +${id} +delivered +1 +responded with 204 in 12 ms$`));
    expect(await cli.json('events', 'deliveries', event)).toEqual({ items: [tried], nextCursor: null });
    expect((await cli.json('events', 'deliveries', event, '--status', 'failed')).items).toEqual([]);
  });
});
