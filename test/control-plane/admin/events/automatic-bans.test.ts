/**
 * Only the gateway whose request started a ban once reported it. If the response from Redis was lost, or that gateway
 * crashed, no event was published and the audit log had no entry.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AutomaticBans } from '../../../../src/control-plane/registry/automatic-bans.ts';
import type { Decision } from '../../../../src/data-plane/admission/decide.ts';
import type { Credential } from '../../../../src/domain/credential.ts';
import { captureLog } from '../../../support/log-lines.ts';
import { until } from '../../../support/until.ts';
import { type Admin, NOW, startAdmin } from '../../../support/gateway/admin.ts';

const FROM = NOW - 10_000;
const ban = { from: FROM, until: FROM + 60_000, level: 2, manual: false };
const credential = { keyId: 'key_a', quotaId: 'key_q', owner: 'acme', plan: 'free' } as Credential;

let admin: Admin;
let log: ReturnType<typeof captureLog>;
beforeEach(async () => {
  admin = await startAdmin();
  log = captureLog();
});
afterEach(() => admin.stop());

const open = () => new AutomaticBans(admin.registry, admin.events.note, log.logger);
const window = { limit: 60, used: 60, remaining: 0, resetAt: NOW + 60_000 };
function decision(over: Partial<Decision> = {}): Decision {
  const about = { admitted: false, outcome: 'banned', retryAt: ban.until, strikes: 0, banStarted: false, now: NOW };
  return { ...about, minute: window, day: window, ban, ...over } as unknown as Decision;
}
const events = async () => (await admin.events.list({ type: 'key.banned' }, { limit: 10 })).items;
const entries = async () => (await admin.registry.listAudit({ action: 'ban.start' }, { limit: 10 })).items;
const counts = async () => [(await events()).length, (await entries()).length];

describe('an automatic ban', () => {
  test('that was not reported is published once, with the first request that it refuses, by one of several gateways', async () => {
    const gateways = [open(), open(), open()];
    for (let call = 0; call < 5; call++)
      for (const bans of gateways) bans.observe(decision(), credential, 1, 'request_1');
    await Promise.all(gateways.map((bans) => bans.close()));
    const times = { from: new Date(FROM).toISOString(), until: new Date(FROM + 60_000).toISOString() };
    const reason = 'too many calls without waiting for Retry-After';
    const about = { keyId: 'key_a', ...times, level: 2, manual: false };
    const data = { ...about, quotaId: 'key_q', reason, message: reason };
    const event = { subject: 'key_a', owner: 'acme', at: FROM, data };
    expect(await events()).toEqual([expect.objectContaining(event)]);
    const entry = {
      actor: 'system',
      subject: 'key_q',
      at: FROM,
      reason,
      message: reason,
      after: { ...about, evidence: null },
    };
    expect(await entries()).toEqual([expect.objectContaining(entry)]);
    expect(log.lines).toEqual([
      expect.objectContaining({ level: 40, msg: 'ban started', keyId: 'key_a', banLevel: 2 }),
    ]);
    expect((await admin.get('/v1/bans?key=key_q')).body.items).toMatchObject([{ keyId: 'key_a', evidence: null }]);
  });

  test('that was reported is not published again by the gateway that started it or by another one', async () => {
    const [one, other] = [open(), open()];
    one.observe(decision({ banStarted: true, strikes: 10, now: FROM }), credential, 1, 'request_1');
    await until(async () => (await counts()).every((count) => count === 1));
    for (const bans of [one, other]) bans.observe(decision(), credential, 1, 'request_1');
    await Promise.all([one.close(), other.close()]);
    expect(await counts()).toEqual([1, 1]);
    expect((await events())[0]?.data['reason']).toBe('10 calls without waiting for Retry-After');
  });

  test('has only one entry in the audit log if its event was lost and published later', async () => {
    const one = new AutomaticBans(admin.registry, () => {}, log.logger);
    one.observe(decision({ banStarted: true, strikes: 10, now: FROM }), credential, 1, 'request_1');
    await one.close();
    expect(await counts()).toEqual([0, 1]);
    const other = open();
    other.observe(decision(), credential, 1, 'request_1');
    await other.close();
    expect(await counts()).toEqual([1, 1]);
  });

  test('is published with the next request if it could not be written at first', async () => {
    const bans = open();
    admin.database.sqlite.exec('ALTER TABLE audit RENAME TO hidden');
    bans.observe(decision(), credential, 1, 'request_1');
    await bans.close();
    admin.database.sqlite.exec('ALTER TABLE hidden RENAME TO audit');
    expect(log.lines).toEqual([expect.objectContaining({ level: 50, msg: 'a ban could not be recorded' })]);
    expect(await counts()).toEqual([0, 0]);
    bans.observe(decision(), credential, 1, 'request_1');
    await bans.close();
    expect(await counts()).toEqual([1, 1]);
  });
});

test.each<[string, Partial<Decision>]>([
  ['that has just started and is about to be published by its gateway', { now: NOW - 1 }],
  ['by an operator', { ban: { ...ban, manual: true } }],
  ['known only to this gateway while the store is unavailable', { degraded: true }],
  ['of a plan in shadow mode', { ban: null }],
])('a ban %s is not published', async (_, over) => {
  const bans = open();
  bans.observe(decision(over), credential, 1, 'request_1');
  await bans.close();
  expect(await counts()).toEqual([0, 0]);
});
