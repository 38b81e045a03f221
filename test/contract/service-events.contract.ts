import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { ServiceEvent } from '../../src/openapi/event-type.ts';
import type { Database } from '../../src/storage/database.ts';
import type { Event } from '../../src/control-plane/events/event.ts';
import { Events } from '../../src/control-plane/events/events.ts';
import { isEventNotification } from '../../src/control-plane/events/event-outbox.ts';
import { MAX_EVENTS_AT_ONCE, ServiceEvents } from '../../src/control-plane/events/service-events.ts';
import { eventTypesOf } from '../support/services/event-types.ts';

/** The connections of two gateways to the same database. */
interface RecordsUnderTest {
  readonly one: Database;
  readonly other: Database;
  dispose(): Promise<void>;
}

const NOW = Date.parse('2026-06-15T12:00:00Z');
const pet = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'integer' }, name: { type: 'string' }, weight: { type: 'number' } },
};
const types = eventTypesOf({ 'pet.created': pet, 'pet.fed': {} });
const refused = (...paths: string[]) =>
  expect.objectContaining({
    name: 'EventRefused',
    details: paths.map((path) => ({ path, message: expect.any(String) })),
  });

/** Declares the requirements for publishing, which every database must meet. */
export function serviceEventsContract(name: string, make: () => Promise<RecordsUnderTest>): void {
  describe(`with ${name},`, () => {
    let records: RecordsUnderTest;
    let services: ServiceEvents;
    let peer: ServiceEvents;
    beforeEach(async () => {
      records = await make();
      const sources = [
        { name: 'pets', eventTypes: types },
        { name: 'mute', eventTypes: [] },
      ];
      services = new ServiceEvents(records.one, sources, () => NOW);
      peer = new ServiceEvents(records.other, sources, () => NOW + 1);
    });
    afterEach(() => records.dispose());

    const publish = async (event: ServiceEvent, source = 'pets') => (await services.publish(source, [event]))[0]!;
    /** Reads the stored events, oldest first. */
    const kept = async (): Promise<Event[]> =>
      (await new Events(records.other, pino({ level: 'silent' })).list({}, { limit: 1000 })).items.toReversed();

    test('an event of a service is stored as published, and announced', async () => {
      const announced: (string | null)[] = [];
      records.one.onChange((message) => announced.push(message));
      const result = await publish({
        type: 'pet.created',
        data: { id: 1, name: 'Rex' },
        subject: 'pet 1',
        at: NOW - 5,
      });
      expect(result).toEqual({ id: expect.stringMatching(/^evt_\w{20}$/), isNew: true });
      const event = {
        sequence: expect.any(Number),
        id: result.id,
        type: 'pet.created',
        subject: 'pet 1',
        owner: null,
      };
      expect(await kept()).toEqual([{ ...event, source: 'pets', at: NOW - 5, data: { id: 1, name: 'Rex' } }]);
      expect(announced.filter(isEventNotification)).toHaveLength(1);
    });

    test('an event of a service without a time gets the current time, and none gets a time in the future', async () => {
      await publish({ type: 'pet.fed', data: {} });
      await publish({ type: 'pet.fed', data: {}, at: NOW + 60_000 });
      expect((await kept()).map(({ at, subject }) => [at, subject])).toEqual([
        [NOW, null],
        [NOW, null],
      ]);
    });

    test('numbers in an event of a service keep all their digits, as BigInt and as JSON text', async () => {
      const exact = { id: 9007199254740993n, name: '9007199254740993' };
      await publish({ type: 'pet.created', data: exact });
      const text = '{"id": 9007199254740993, "weight": 1.10, "name": "\\u0000\\ud800"}';
      await publish({ type: 'pet.created', data: text });
      await publish({ type: 'pet.created', data: '{"id":-9223372036854775808,"weight":-0}' });
      expect((await kept()).map(({ data }) => JSON.stringify(data))).toEqual([
        '{"id":9007199254740993,"name":"9007199254740993"}',
        '{"id":9007199254740993,"weight":1.10,"name":"\\u0000\\ud800"}',
        '{"id":-9223372036854775808,"weight":-0}',
      ]);
    });

    describe('the id of an event of a service', () => {
      test('identifies repeats, from any gateway and with any content', async () => {
        const event = { type: 'pet.created', data: { id: 1 }, id: 'outbox:1' };
        const first = await publish(event);
        const [again] = await peer.publish('pets', [{ ...event, type: 'pet.fed', data: {} }]);
        expect(again).toEqual({ id: first.id, isNew: false });
        expect(await publish({ ...event, id: 'outbox:2' })).toMatchObject({ isNew: true });
        expect(await kept()).toHaveLength(2);
      });

      test('identifies repeats of the same service only', async () => {
        const sources = ['pets', 'other'].map((source) => ({ name: source, eventTypes: types }));
        const both = new ServiceEvents(records.one, sources, () => NOW);
        const event = { type: 'pet.fed', data: {}, id: '1' };
        for (const source of ['pets', 'other']) {
          expect(await both.publish(source, [event])).toEqual([{ id: expect.any(String), isNew: true }]);
        }
        expect((await kept()).map(({ source }) => source)).toEqual(['pets', 'other']);
      });

      test('identifies repeats that are published at the same time', async () => {
        const event = { type: 'pet.fed', data: {}, id: 'once' };
        const each = Array.from({ length: 20 }, (_, index) => (index % 2 ? services : peer).publish('pets', [event]));
        const results = (await Promise.all(each)).flat();
        expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
        expect(new Set(results.map(({ id }) => id)).size).toBe(1);
        expect(await kept()).toHaveLength(1);
      });
    });

    describe('events of a service', () => {
      test('are stored in order, and repeats among them are recognized', async () => {
        await publish({ type: 'pet.fed', data: { n: 2 }, id: '2' });
        const events = [1, 2, 3, 3].map((n) => ({ type: 'pet.fed', data: { n }, id: String(n) }));
        const results = await services.publish('pets', events);
        expect(results.map(({ isNew }) => isNew)).toEqual([true, false, true, false]);
        const all = await kept();
        expect(all.map(({ data }) => data['n'])).toEqual([2, 1, 3]);
        expect(results.map(({ id }) => id)).toEqual([all[1], all[0], all[2], all[2]].map((event) => event?.id));
      });

      test('are all refused if one of them is invalid', async () => {
        const events = [
          { type: 'pet.fed', data: {} },
          { type: 'pet.created', data: {} },
          { type: 'nothing', data: {} },
        ];
        await expect(services.publish('pets', events)).rejects.toMatchObject({ name: 'EventRefused', index: 1 });
        expect(await kept()).toEqual([]);
      });

      test('can be published by two gateways in different orders without a deadlock', async () => {
        const events = Array.from({ length: 200 }, (_, n) => ({ type: 'pet.fed', data: { n }, id: String(n) }));
        const results = await Promise.all([
          services.publish('pets', events),
          peer.publish('pets', events.toReversed()),
          services.publish(
            'pets',
            events.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
          ),
        ]);
        expect(results.flat().filter(({ isNew }) => isNew)).toHaveLength(200);
        expect(await kept()).toHaveLength(200);
      });

      test('are limited to 500 at once', async () => {
        const many = Array.from({ length: MAX_EVENTS_AT_ONCE }, () => ({ type: 'pet.fed', data: {} }));
        expect(await services.publish('pets', many)).toHaveLength(MAX_EVENTS_AT_ONCE);
        await expect(services.publish('pets', [...many, ...many.slice(0, 1)])).rejects.toThrow('at most 500 events');
        expect(await services.publish('pets', [])).toEqual([]);
      });

      test('wait in memory up to a limit', async () => {
        const many = Array.from({ length: MAX_EVENTS_AT_ONCE }, () => ({ type: 'pet.fed', data: {} }));
        const calls = Array.from({ length: 21 }, () => services.publish('pets', many));
        const results = await Promise.allSettled(calls);
        expect(results.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
        expect(results.at(-1)).toMatchObject({ reason: { name: 'StoreUnavailable' } });
        expect(await publish({ type: 'pet.fed', data: {} })).toMatchObject({ isNew: true });
      });
    });

    describe('an event of a service is refused if it has', () => {
      const cycle: Record<string, unknown> = {};
      cycle['itself'] = cycle;
      const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      const createWideData = (bytes: number) => ({ a: 'ü'.repeat((bytes - 8) / 2) });

      test.each<[string, unknown, ...string[]]>([
        ['an unknown type', { type: 'pet.lost', data: {} }, '/type'],
        ['a type of the gateway', { type: 'key.created', data: {} }, '/type'],
        ['no type', { data: {} }, '/type'],
        ['invalid data', { type: 'pet.created', data: { id: '1', x: 1 } }, '/data/x', '/data/id'],
        ['no data', { type: 'pet.fed' }, '/data'],
        ['a list', { type: 'pet.fed', data: [] }, '/data'],
        ['null', { type: 'pet.fed', data: null }, '/data'],
        ['invalid JSON', { type: 'pet.fed', data: '{' }, '/data'],
        ['JSON of something other than an object', { type: 'pet.fed', data: '"text"' }, '/data'],
        ['a circular object', { type: 'pet.fed', data: cycle }, '/data'],
        ['data that is too large', { type: 'pet.fed', data: createWideData(64 * 1024 + 2) }, '/data'],
        ['data that is too deep', { type: 'pet.fed', data: deep(33) }, '/data'],
        ['an empty id', { type: 'pet.fed', data: {}, id: '' }, '/id'],
        ['an id that is too long', { type: 'pet.fed', data: {}, id: 'a'.repeat(129) }, '/id'],
        ['an id of another type', { type: 'pet.fed', data: {}, id: 1 }, '/id'],
        ['an empty subject', { type: 'pet.fed', data: {}, subject: '' }, '/subject'],
        ['a subject that no database accepts', { type: 'pet.fed', data: {}, subject: 'a\0b' }, '/subject'],
        ['a lone surrogate', { type: 'pet.fed', data: {}, subject: '\ud800' }, '/subject'],
        [
          'a subject with a bidirectional control character',
          { type: 'pet.fed', data: {}, subject: 'a\u202eb' },
          '/subject',
        ],
        ['an invalid time', { type: 'pet.fed', data: {}, at: 1.5 }, '/at'],
        ['a time in another unit', { type: 'pet.fed', data: {}, at: 8.65e15 }, '/at'],
        ['all of these together', { type: 'pet.created', data: {}, id: ' ', at: -1 }, '/id', '/at', '/data/id'],
      ])('%s', async (_, event, ...paths) => {
        await expect(publish(event as ServiceEvent)).rejects.toEqual(refused(...paths));
        expect(await kept()).toEqual([]);
      });

      test('data above the maximum size or depth, but not at the maximum', async () => {
        for (const data of [createWideData(64 * 1024), deep(32)]) await publish({ type: 'pet.fed', data });
        await publish({ type: 'pet.fed', data: {}, id: '~'.repeat(128), subject: '🐶'.repeat(200), at: 0 });
        expect(await kept()).toHaveLength(3);
      });

      test('an unknown type, and the error lists the known types', async () => {
        await expect(publish({ type: 'pet.lost', data: {} })).rejects.toThrow(
          'is not an event of pets. Its document has pet.created, pet.fed',
        );
        await expect(publish({ type: 'pet.fed', data: {} }, 'mute')).rejects.toThrow(
          'is not an event of mute. Its document has no event types: declare them under webhooks, with x-tollgate-events: true in the document',
        );
        await expect(publish({ type: 'pet.created', data: {} })).rejects.toThrow(
          'cannot publish the event pet.created: /data/id is required',
        );
      });
    });
  });
}
