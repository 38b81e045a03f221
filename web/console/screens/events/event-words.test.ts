import { expect, test } from '@jest/globals';
import { gatewayEvents } from '../../../../src/control-plane/events/gateway-events.ts';
import { describeEvent, type Part, SENTENCES } from './event-words.ts';

function writeSentence(
  type: string,
  data: Record<string, unknown>,
  source = 'gateway',
  subject: string | null = null,
): string {
  return describeEvent({ type, source, subject, data }).map(shown).join('');
}

function shown(part: Part): string {
  if (typeof part === 'string') return part;
  if (part.as === 'given') return part.text;
  return part.as === 'time' ? part.at : `[${part.as} ${'name' in part ? part.name : part.id}]`;
}

test('every event of the gateway has a sentence', () => {
  expect(Object.keys(SENTENCES).toSorted()).toEqual(Object.keys(gatewayEvents).toSorted());
});

test('an event names the key, the plan or the account', () => {
  expect(writeSentence('key.created', { id: 'key_1', name: 'Shop', plan: 'pro' })).toBe(
    '[key Shop] was created on the plan [plan pro]',
  );
  const quota = { keyId: 'key_1', window: 'day', used: 8000, limit: 10_000, shadow: false };
  expect(writeSentence('quota.threshold', { ...quota, level: 80 })).toBe(
    '[key key_1] used 80% of its limit per day: 8,000 of 10,000',
  );
  expect(writeSentence('quota.threshold', { ...quota, level: 100, used: 10_000, shadow: true })).toBe(
    '[key key_1] reached its limit per day: 10,000 of 10,000 (shadow mode, nothing is refused)',
  );
  expect(writeSentence('plan_request.declined', { accountId: 'acc_1', plan: 'pro', reason: 'ask again in May' })).toBe(
    'The request of [account acc_1] for the plan [plan pro] was declined: ask again in May',
  );
});

test('a ban says why: the reason of the operator, or what the client did', () => {
  const ban = { keyId: 'key_1', until: '2026-11-22T02:00:00.000Z' };
  expect(writeSentence('key.banned', { ...ban, manual: true, reason: 'scraping' })).toBe(
    '[key key_1] was banned until 2026-11-22T02:00:00.000Z: scraping',
  );
  const long = writeSentence('key.banned', { ...ban, manual: true, reason: 'x'.repeat(400) });
  expect(long).toMatch(/: x{119}…$/);
  expect(writeSentence('key.banned', { ...ban, manual: false, reason: null })).toMatch(
    /, because it kept calling without waiting for Retry-After$/,
  );
});

test('the sentence about a changed plan says what changed, for all its keys or for one', () => {
  const terms = { plan: 'pro', limits: { minute: 300, day: 10_000 }, operations: null, keyOperations: null };
  const lower = { ...terms, limits: { minute: 240, day: 10_000 } };
  expect(writeSentence('plan.changed', { keyId: null, before: terms, after: lower })).toBe(
    '[plan pro] changed · requests per minute: 300 → 240',
  );
  const moved = writeSentence('plan.changed', { keyId: 'key_1', before: { ...terms, plan: 'free' }, after: terms });
  expect(moved).toBe('[key key_1] changed · plan: free → pro');
});

test('an event of a service shows its subject and first values, even under a name of the gateway', () => {
  const data = { id: 'pet_1', name: 'Rex', tags: ['a'], owner: null, age: 3, color: 'red', weight: 4 };
  expect(writeSentence('pet.created', data, 'petstore', 'pet_1')).toBe('pet_1, name Rex, age 3, color red');
  expect(writeSentence('key.created', { name: 'x' }, 'petstore')).toBe('name x');
  expect(writeSentence('pet.deleted', {}, 'petstore')).toBe('');
});

test('an event of a service says what its type means, where the type is documented', () => {
  const types = [
    { name: 'pet.deleted', source: 'petstore', summary: 'A pet was deleted.' },
    { name: 'pet.created', source: 'zoo', summary: 'An animal has arrived' },
  ];
  const event = { type: 'pet.deleted', source: 'petstore', subject: '7' as string | null, data: {} };
  const say = (over: Partial<typeof event>) =>
    describeEvent({ ...event, ...over }, types)
      .map(shown)
      .join('');
  expect(say({})).toBe('A pet was deleted: 7');
  expect(say({ subject: null })).toBe('A pet was deleted');
  expect(say({ type: 'pet.created' })).toBe('7');
});
