/**
 * If calls do not fit the document, their owner gets one event a day for each rule, however many calls and rules there
 * are.
 */
import { expect, test } from '@jest/globals';
import type { NewEvent } from '../../../src/control-plane/events/event.ts';
import { createInvalidCallEvents } from '../../../src/control-plane/events/invalid-calls.ts';
import type { CheckedRequest } from '../../../src/data-plane/boundary-types.ts';

const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 20);

function request(owner: string, ...rules: string[]): CheckedRequest {
  return {
    credential: { keyId: `key_${owner}`, owner },
    operation: { id: 'addPet', method: 'POST', path: '/pets' },
    upstream: 'pets',
    mode: 'report',
    candidate: null,
    broken: rules.map((rulePath) => ({ rule: 'required', rulePath, message: 'is required' })),
    unchecked: null,
  } as unknown as CheckedRequest;
}

function createObserver(maxPerDay?: number) {
  const clock = { now: MIDNIGHT };
  const events: NewEvent[] = [];
  const observe = createInvalidCallEvents(
    (event) => events.push(event),
    () => clock.now,
    maxPerDay,
  );
  return { clock, events, observe };
}

test('an event about invalid calls is published once per owner, rule and day', () => {
  const { clock, events, observe } = createObserver();
  const callAll = () => {
    observe(request('acme', '/name', '/age'));
    observe(request('beta', '/name'));
  };
  callAll();
  clock.now += DAY - 1;
  callAll();
  const published = events.splice(0);
  expect(published.map(({ owner, data }) => `${owner} ${String(data['place'])}`)).toEqual([
    'acme /name',
    'acme /age',
    'beta /name',
  ]);

  clock.now += 1;
  callAll();
  callAll();
  expect(events).toHaveLength(3);
  // The outbox refuses a second event with the same key, so each event is published only once, even with several
  // gateways.
  expect(new Set([...published, ...events].map(({ uniqueKey }) => uniqueKey)).size).toBe(6);
});

test('an owner gets at most 20 events a day about invalid calls of an operation', () => {
  const { events, observe } = createObserver();
  for (let rule = 0; rule < 50; rule++) observe(request('acme', `/field${rule}`));
  expect(events).toHaveLength(20);
  observe(request('beta', '/field0'));
  expect(events).toHaveLength(21);
});

test('a gateway publishes a limited number of events a day about invalid calls, each once', () => {
  const { clock, events, observe } = createObserver(30);
  const callAll = () => {
    for (let owner = 0; owner < 100; owner++) observe(request(`owner${owner}`, '/name'));
  };
  callAll();
  callAll();
  expect(events).toHaveLength(30);
  expect(new Set(events.map(({ owner }) => owner)).size).toBe(30);
  clock.now += DAY;
  callAll();
  expect(events).toHaveLength(60);
});
