import { describe, expect, test } from '@jest/globals';
import { isDeliverable, maySee, type Subscriber } from '../../../../src/control-plane/webhooks/route-events.ts';

const acme = { owner: 'acme', plan: 'pro' };
const event = (over: object = {}) => ({ type: 'pet.created', owner: null, subject: null, ...over });
const subscriber = (over: Partial<Subscriber> = {}): Subscriber => ({
  webhookId: 'whk_1',
  account: acme,
  types: ['*'],
  ...over,
});

describe('an account receives', () => {
  test.each([
    ['events for everyone', 'everyone', {}, true],
    ['events for everyone that have an owner, if it is the owner', 'everyone', { owner: 'acme' }, true],
    ['no events for everyone that have another owner', 'everyone', { owner: 'other' }, false],
    ['its own events', 'owner', { owner: 'acme' }, true],
    ['no events of others', 'owner', { owner: 'other' }, false],
    ['no events for owners without an owner', 'owner', {}, false],
    ['events of its plan', 'plan', { subject: 'pro' }, true],
    ['no events of another plan', 'plan', { subject: 'free' }, false],
    ['no plan events without a plan', 'plan', {}, false],
    ['plan events of its own key', 'plan', { subject: 'key_1', owner: 'acme' }, true],
    ["no plan events of another's key", 'plan', { subject: 'pro', owner: 'other' }, false],
    ['no events for operators', 'operators', {}, false],
    ['no events for operators, even its own', 'operators', { owner: 'acme' }, false],
  ] as const)('%s', (_what, audience, over, expected) => {
    expect(maySee(event(over), audience, acme)).toBe(expected);
    expect(isDeliverable(event(over), audience, subscriber())).toBe(expected);
    expect(isDeliverable(event(over), audience, subscriber({ account: null }))).toBe(true);
  });
});

test('a webhook of an account receives only events of the types that it selected', () => {
  const some = subscriber({ types: ['pet.created', 'pet.deleted'] });
  expect(isDeliverable(event(), 'everyone', some)).toBe(true);
  expect(isDeliverable(event({ type: 'pet.updated' }), 'everyone', some)).toBe(false);
  expect(isDeliverable(event({ type: 'pet.updated' }), 'everyone', subscriber({ account: null, types: ['x'] }))).toBe(
    false,
  );
});
