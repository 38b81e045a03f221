import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BanPolicy } from '../../src/data-plane/admission/ban-rules.ts';
import type { Decision } from '../../src/data-plane/admission/decide.ts';
import type { Limits, Mode } from '../../src/domain/quota-limits.ts';
import type { AdmissionStore } from '../../src/data-plane/admission/store.ts';

interface AdmissionStoreHarness {
  /** The ban policy of the store under test. */
  readonly policy: BanPolicy;
  /** Opens an empty store, which the suite closes. */
  open(): Promise<AdmissionStore>;
  /** Advances the clock of the store, or says why that is impossible. */
  readonly clock: { advance(ms: number): void | Promise<void> } | { cannotAdvance: string };
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const limits: Limits = { minute: 5, day: 8 };

/** Declares the requirements for every admission store. The rule of admission itself is tested elsewhere. */
export function admissionStoreContract(name: string, harness: AdmissionStoreHarness): void {
  const { clock, policy } = harness;
  let store: AdmissionStore;

  const admit = async (quotaId = 'a', cost = 1, mode: Mode = 'enforce'): Promise<Decision> =>
    store.admit({ quotaId, cost, limits, mode });
  const admitTimes = (times: number): Promise<Decision[]> => Promise.all(Array.from({ length: times }, () => admit()));
  const inspect = async (quotaId = 'a') => store.inspect(quotaId, limits);

  function timed(title: string, run: (advance: (ms: number) => void | Promise<void>) => Promise<void>): void {
    if ('advance' in clock) test(title, () => run((ms) => clock.advance(ms)));
    else test.skip(`${title} (${clock.cannotAdvance})`, () => {});
  }

  describe(name, () => {
    beforeEach(async () => {
      store = await harness.open();
    });
    afterEach(() => store.close());

    test('reports no usage for an unknown quota', async () => {
      const usage = await inspect();
      expect(usage).toMatchObject({ minute: { used: 0, remaining: 5 }, day: { used: 0, remaining: 8 }, ban: null });
      expect(usage.minute.resetAt).toBe(usage.now + MINUTE);
      expect(usage.day.resetAt).toBe((Math.floor(usage.now / DAY) + 1) * DAY);
    });

    test('admits exactly as many concurrent requests as the limit allows', async () => {
      const decisions = await admitTimes(20);
      expect(decisions.filter((decision) => decision.admitted)).toHaveLength(5);
      expect(await inspect()).toMatchObject({ minute: { used: 5 }, day: { used: 5 } });
    });

    test('returns every field of a decision', async () => {
      const { now, ...decision } = await admit();
      expect(decision).toEqual({
        admitted: true,
        outcome: 'admitted',
        minute: { limit: 5, used: 1, remaining: 4, resetAt: now + MINUTE },
        day: { limit: 8, used: 1, remaining: 7, resetAt: (Math.floor(now / DAY) + 1) * DAY },
        binding: 'minute',
        ban: null,
        retryAt: 0,
        strikes: 0,
        banStarted: false,
      });
    });

    test('keeps quotas separate', async () => {
      await admitTimes(6);
      expect(await admit('b')).toMatchObject({ admitted: true, minute: { used: 1 } });
    });

    test('charges the whole cost or nothing', async () => {
      expect(await admit('a', 4)).toMatchObject({ admitted: true, minute: { used: 4 } });
      expect(await admit('a', 2)).toMatchObject({ admitted: false, minute: { used: 4 }, day: { used: 4 } });
      expect(await admit('a', 6)).toMatchObject({ outcome: 'cost_exceeds_limit', retryAt: 0 });
    });

    test('applies the limits given with each request', async () => {
      await admitTimes(5);
      const raised = await store.admit({ quotaId: 'a', cost: 1, limits: { minute: 6, day: 8 }, mode: 'enforce' });
      expect(raised).toMatchObject({ admitted: true, minute: { limit: 6, used: 6 } });
      expect(await admit()).toMatchObject({ admitted: false, minute: { limit: 5, used: 6, remaining: 0 } });
    });

    test('inspects a quota without charging it', async () => {
      await admit();
      const first = await inspect();
      expect({ ...(await inspect()), now: first.now }).toEqual(first);
    });

    test('admits requests in shadow mode and reports what it would have refused', async () => {
      await admitTimes(5);
      expect(await admit('a', 1, 'shadow')).toMatchObject({ admitted: true, outcome: 'minute_exhausted' });
      expect(await inspect()).toMatchObject({ minute: { used: 6, remaining: 0 } });
    });

    test('applies a manual ban to the next request, and does not charge banned requests', async () => {
      const ban = await store.ban('a', 5000);
      expect(ban).toEqual({ from: ban.until - 5000, until: ban.until, level: 0, manual: true });
      expect(await admit()).toMatchObject({ admitted: false, outcome: 'banned', retryAt: ban.until, ban });
      expect(await admit('a', 1, 'shadow')).toMatchObject({ admitted: false, outcome: 'banned' });
      expect(await inspect()).toMatchObject({ ban, minute: { used: 0 } });
    });

    test('replaces an active ban', async () => {
      await store.ban('a', 100_000);
      const shorter = await store.ban('a', 50_000);
      expect((await inspect()).ban).toEqual(shorter);
    });

    test('lifts a ban and returns it, or returns null if there is none', async () => {
      expect(await store.lift('a')).toBeNull();
      const ban = await store.ban('a', 60_000);
      expect(await store.lift('a')).toEqual(ban);
      expect(await store.lift('a')).toBeNull();
      expect(await admit()).toMatchObject({ admitted: true, ban: null });
    });

    test('resets usage without lifting a ban', async () => {
      await admitTimes(5);
      await store.reset('a');
      expect(await inspect()).toMatchObject({ minute: { used: 0 }, day: { used: 0 } });
      await store.ban('a', 60_000);
      await store.reset('a');
      expect((await inspect()).ban).not.toBeNull();
    });

    timed('opens a new minute after 60 s', async (advance) => {
      await admitTimes(6);
      await advance(MINUTE - 1);
      expect((await admit()).outcome).toBe('minute_exhausted');
      await advance(1);
      expect(await admit()).toMatchObject({ admitted: true, minute: { used: 1 }, day: { used: 6 } });
    });

    timed('opens a new day at midnight UTC', async (advance) => {
      await admitTimes(5);
      await advance(MINUTE);
      const refused = (await admitTimes(4)).at(-1)!;
      expect(refused).toMatchObject({ outcome: 'day_exhausted', retryAt: refused.day.resetAt });
      await advance(refused.day.resetAt - refused.now);
      expect(await admit()).toMatchObject({ admitted: true, day: { used: 1, resetAt: refused.day.resetAt + DAY } });
    });

    describe('with a monthly limit', () => {
      const monthly: Limits = { minute: 5, day: 8, month: 9 };
      const ask = async (cost = 1, wanted = monthly): Promise<Decision> =>
        store.admit({ quotaId: 'a', cost, limits: wanted, mode: 'enforce' });

      test('charges all windows or none', async () => {
        expect(await ask(5)).toMatchObject({ minute: { used: 5 }, day: { used: 5 }, month: { limit: 9, used: 5 } });
        expect(await ask(2)).toMatchObject({ outcome: 'minute_exhausted', month: { used: 5 } });
        expect(await ask(1, { minute: 6, day: 8, month: 5 })).toMatchObject({
          outcome: 'month_exhausted',
          binding: 'month',
          minute: { used: 5 },
          day: { used: 5 },
        });
      });

      test('counts the month only while the limits have one, and keeps its count otherwise', async () => {
        await ask(2);
        expect((await admit('a', 2)).month).toBeUndefined();
        expect(await ask()).toMatchObject({ minute: { used: 5 }, month: { used: 3 } });
        expect((await store.inspect('a', monthly)).month).toMatchObject({ used: 3, remaining: 6 });
      });

      test('resets one window or all windows', async () => {
        await ask(4);
        await store.reset('a', 'month');
        expect(await store.inspect('a', monthly)).toMatchObject({ minute: { used: 4 }, month: { used: 0 } });
        await ask(1);
        await store.reset('a', 'day');
        const left = await store.inspect('a', monthly);
        expect([left.minute.used, left.day.used, left.month?.used]).toEqual([5, 0, 1]);
        await store.reset('a');
        expect((await store.inspect('a', monthly)).month).toMatchObject({ used: 0 });
      });

      timed('opens a new month at midnight UTC', async (advance) => {
        await ask(5);
        await advance(DAY);
        await ask(4);
        await advance(MINUTE);
        const refused = await ask();
        const { resetAt = 0, startsAt = 0 } = refused.month ?? {};
        expect(refused).toMatchObject({ outcome: 'month_exhausted', retryAt: resetAt, binding: 'month' });
        expect(new Date(startsAt).toISOString()).toMatch(/-01T00:00:00.000Z$/);
        await advance(resetAt - refused.now - 1);
        expect(await ask()).toMatchObject({ outcome: 'month_exhausted', retryAt: resetAt });
        await advance(1);
        expect(await ask()).toMatchObject({ admitted: true, day: { used: 1 }, month: { used: 1, startsAt: resetAt } });
      });
    });

    timed('recovers after a clock that was ahead is corrected', async (advance) => {
      await advance(60 * MINUTE);
      const ahead = (await admitTimes(6)).at(-1)!;
      await store.ban('b', 5 * MINUTE);
      await advance(-60 * MINUTE);
      const now = ahead.now - 60 * MINUTE;
      expect(await admit()).toMatchObject({ now, outcome: 'minute_exhausted', retryAt: now + MINUTE });
      expect(await admit('b')).toMatchObject({ outcome: 'banned', retryAt: now + 5 * MINUTE });
      await advance(MINUTE);
      expect(await admit()).toMatchObject({ admitted: true, minute: { used: 1 }, day: { used: 6 } });
    });

    timed('bans a quota for strikes, longer each time', async (advance) => {
      for (const [level, duration] of policy.durationsMs.entries()) {
        await admitTimes(6);
        await advance(policy.graceMs + 1);
        const { now, ban, banStarted } = (await admitTimes(policy.strikes)).at(-1)!;
        expect({ banStarted, ban }).toEqual({
          banStarted: true,
          ban: { from: now, until: now + duration, level: level + 1, manual: false },
        });
        await advance(Math.max(duration, MINUTE));
        expect((await inspect()).ban).toBeNull();
        await store.reset('a');
      }
    });
  });
}
