import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Database } from '../../src/storage/database.ts';
import type { Event, EventFilter, NewEvent } from '../../src/control-plane/events/event.ts';
import { Events } from '../../src/control-plane/events/events.ts';
import { createGatewayEvent } from '../../src/control-plane/events/gateway-events.ts';
import { captureLog } from '../support/log-lines.ts';
import { until } from '../support/until.ts';
import { outboxEvents } from '../support/outbox-events.ts';

/** A database under test that can be made unavailable. */
interface EventsUnderTest {
  readonly database: Database;
  /** Makes the database reject writes until `bringBack` is called. */
  takeAway(): void;
  bringBack(): void;
  dispose(): Promise<void>;
}

const AT = Date.parse('2026-06-15T12:00:00Z');
const silent = pino({ level: 'silent' });

const unbanned = { keyId: 'key_1', quotaId: 'key_1', level: 0, manual: true, reason: null, message: null } as const;
const times = { from: '2026-06-15T12:00:00Z', until: '2026-06-15T13:00:00Z' };

function event(over: Partial<NewEvent> = {}): NewEvent {
  const about = { subject: 'key_1', owner: 'acme', at: AT };
  return { ...createGatewayEvent('key.unbanned', { ...unbanned, ...times }, about), ...over };
}

/** Declares the requirements for the outbox, which every database must meet. */
export function eventsContract(name: string, make: () => Promise<EventsUnderTest>): void {
  describe(`with ${name}, events`, () => {
    let made: EventsUnderTest;
    let events: Events;
    let announced: (string | null)[];

    beforeEach(async () => {
      made = await make();
      events = new Events(made.database, silent);
      announced = [];
      made.database.onChange((message) => announced.push(message));
    });
    afterEach(async () => {
      await events.close();
      await made.dispose();
    });

    const rows = () => outboxEvents(made.database);
    const ids = async () => (await rows()).map(({ id }) => id);

    test('are stored as published, and announced', async () => {
      const one = event();
      expect(await events.publish([one])).toEqual([one.id]);
      expect(await rows()).toEqual([{ ...one, sequence: expect.any(Number), uniqueKey: undefined }]);
      expect(announced).toEqual(['events']);
    });

    test('are stored once per id and per deduplication key', async () => {
      const [one, other] = [event({ uniqueKey: 'a' }), event()];
      expect(new Set(await events.publish([one, other]))).toEqual(new Set([one.id, other.id]));
      announced.length = 0;
      expect(await events.publish([one, other, event({ uniqueKey: 'a' })])).toEqual([]);
      expect(announced).toEqual([]);
      const third = event({ uniqueKey: 'b' });
      expect(await events.publish([event({ uniqueKey: 'a' }), third])).toEqual([third.id]);
      expect(new Set(await ids())).toEqual(new Set([one.id, other.id, third.id]));
    });

    test('with the same deduplication key are stored once, even if published concurrently', async () => {
      const all = Array.from({ length: 20 }, () => event({ uniqueKey: 'once' }));
      const published = await Promise.all(all.map((each) => events.publish([each])));
      expect(published.flat()).toEqual(await ids());
      expect(await ids()).toHaveLength(1);
    });

    test('with the same deduplication keys can be published in different orders without a deadlock', async () => {
      const keys = Array.from({ length: 3000 }, (_, index) => `key ${index}`);
      const publishers = Array.from({ length: 4 }, (_, publisher) => {
        const order = publisher % 2 === 0 ? keys : keys.toReversed();
        return Array.from({ length: 2 }, () => events.publish(order.map((uniqueKey) => event({ uniqueKey }))));
      });
      const published = await Promise.all(publishers.flat());
      expect(published.flat()).toHaveLength(keys.length);
      expect(await rows()).toHaveLength(keys.length);
    });

    test('are listed newest first, in pages, and can be filtered by type, subject and time', async () => {
      const all = Array.from({ length: 5 }, (_, index) => event({ subject: `key_${index}`, at: AT + index }));
      const other = event({ type: 'other.thing', at: AT + 5 });
      await events.publish([...all, other]);
      const list = async (filter: EventFilter, limit = 10, cursor?: string) => events.list(filter, { limit, cursor });
      const found = async (filter: EventFilter) => (await list(filter)).items.map(({ id }) => id);
      const newestFirst = [other, ...all.toReversed()].map(({ id }) => id);
      expect(await found({})).toEqual(newestFirst);
      const first = await list({}, 4);
      const second = await list({}, 4, first.nextCursor!);
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(newestFirst);
      expect(second.nextCursor).toBeNull();
      expect(await found({ type: 'other.thing' })).toEqual([other.id]);
      expect(await found({ subject: 'key_2' })).toEqual([all[2]!.id]);
      expect(await found({ from: AT + 1, to: AT + 3 })).toEqual([all[2]!.id, all[1]!.id]);
      expect(await found({ type: 'other.thing', subject: 'key_2' })).toEqual([]);
      await expect(list({}, 4, 'junk')).rejects.toMatchObject({ code: 'invalid_cursor' });
    });

    test('can be listed oldest first, in pages that continue with events written in the meantime', async () => {
      const all = Array.from({ length: 5 }, (_, index) => event({ subject: `key_${index % 2}`, at: AT - index }));
      for (const each of all.slice(0, 4)) await events.publish([each]);
      const list = (filter: EventFilter, cursor?: string) =>
        events.list(filter, { limit: 3, cursor }, { by: 'written', descending: false });
      const first = await list({});
      await events.publish([all[4]!]);
      const second = await list({}, first.nextCursor!);
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
      expect((await list({ subject: 'key_1' })).items.map(({ id }) => id)).toEqual([all[1]!.id, all[3]!.id]);
      const newestFirst = events.list({}, { limit: 3, cursor: first.nextCursor! });
      await expect(newestFirst).rejects.toMatchObject({ code: 'invalid_cursor' });
    });

    test('that are queued are stored within a second', async () => {
      const noted = Array.from({ length: 1200 }, () => event());
      for (const each of noted) events.note(each);
      expect(events.queued).toBe(1200);
      await until(async () => events.queued === 0);
      expect(await ids()).toEqual(noted.map(({ id }) => id));
    });

    test('that are queued just before shutdown are stored', async () => {
      const one = event();
      events.note(one);
      await events.close();
      expect(await ids()).toEqual([one.id]);
      events.note(event());
      expect([events.queued, events.dropped]).toEqual([0, 1]);
    });

    test('that are queued while the database is unavailable are stored once afterward', async () => {
      const log = captureLog();
      const waiting = new Events(made.database, log.logger);
      made.takeAway();
      const noted = [event(), event({ uniqueKey: 'a' }), event({ uniqueKey: 'a' })];
      for (const each of noted) waiting.note(each);
      await until(() => log.text().includes('events cannot be written; retrying'));
      expect(waiting.queued).toBe(3);
      made.bringBack();
      await until(() => waiting.queued === 0);
      expect(await ids()).toEqual([noted[0]!.id, noted[1]!.id]);
      expect(log.text()).toContain('events can be written again');
      // If the response to a write is lost, the events are written again, although they are already stored.
      for (const each of noted) waiting.note(each);
      await waiting.close();
      expect(await ids()).toEqual([noted[0]!.id, noted[1]!.id]);
      expect(waiting.dropped).toBe(0);
    });

    test('are queued up to a limit, and the lost ones are counted', async () => {
      made.takeAway();
      const one = event();
      for (let index = 0; index < 10_002; index++) events.note(one);
      expect([events.queued, events.dropped]).toEqual([10_000, 2]);
      made.bringBack();
      await until(() => events.queued === 0);
      expect(await ids()).toEqual([one.id]);
    });

    test('that the database rejects do not delay or discard the others', async () => {
      const log = captureLog();
      const refusing = new Events(made.database, log.logger);
      const good = Array.from({ length: 700 }, () => event());
      const broken = () => event({ at: undefined as unknown as number });
      for (const [index, each] of good.entries()) {
        if (index === 3 || index === 600) refusing.note(broken());
        refusing.note(each);
      }
      await refusing.close();
      expect([refusing.queued, refusing.dropped]).toEqual([0, 2]);
      expect(log.text()).toMatch(/"type":"key\.unbanned".*"msg":"event rejected by the database and lost"/);
      expect(await ids()).toEqual(good.map(({ id }) => id));
    });

    test('of a transaction that is rolled back are not stored', async () => {
      const undone: Promise<Event> = made.database.transaction(async (tx) => {
        await tx.insertInto('claims').values({ name: 'x', at: 1 }).execute();
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      await expect(events.publish([event(), event({ at: undefined as unknown as number })])).rejects.toThrow();
      expect(await ids()).toEqual([]);
      expect(announced).toEqual([]);
    });
  });
}
