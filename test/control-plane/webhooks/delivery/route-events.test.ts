import { describe, expect, test } from '@jest/globals';
import { isFor, maySee, type Subscriber } from '../../../../src/control-plane/webhooks/route-events.ts';

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
    ['what is for everyone', 'everyone', {}, true],
    ['what is for everyone and has an owner: its own', 'everyone', { owner: 'acme' }, true],
    ['what is for everyone and has an owner: no other', 'everyone', { owner: 'other' }, false],
    ['its own', 'owner', { owner: 'acme' }, true],
    ['no others', 'owner', { owner: 'other' }, false],
    ['nothing without an owner that is for owners', 'owner', {}, false],
    ['what its plan is told', 'plan', { subject: 'pro' }, true],
    ['nothing that another plan is told', 'plan', { subject: 'free' }, false],
    ['nothing that no plan is told', 'plan', {}, false],
    ['what is about the plan of its own key', 'plan', { subject: 'key_1', owner: 'acme' }, true],
    ["nothing about the plan of another's key", 'plan', { subject: 'pro', owner: 'other' }, false],
    ['nothing that is for operators', 'operators', {}, false],
    ['nothing that is for operators, also of its own', 'operators', { owner: 'acme' }, false],
  ] as const)('%s', (_what, audience, over, expected) => {
    expect(maySee(event(over), audience, acme)).toBe(expected);
    expect(isFor(event(over), audience, subscriber())).toBe(expected);
    expect(isFor(event(over), audience, subscriber({ account: null }))).toBe(true);
  });
});

test('a webhook receives the types that it selected', () => {
  const some = subscriber({ types: ['pet.created', 'pet.deleted'] });
  expect(isFor(event(), 'everyone', some)).toBe(true);
  expect(isFor(event({ type: 'pet.updated' }), 'everyone', some)).toBe(false);
  expect(isFor(event({ type: 'pet.updated' }), 'everyone', subscriber({ account: null, types: ['x'] }))).toBe(false);
});
