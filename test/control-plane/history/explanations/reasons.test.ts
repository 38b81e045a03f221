import { expect, test } from '@jest/globals';
import { explainRefusal } from '../../../../src/control-plane/history/explanations/explain-refusal.ts';
import type { MoreFacts } from '../../../../src/control-plane/history/explanations/refusal-facts.ts';
import {
  MADE_IN_THE_MINUTE,
  at,
  type Case,
  found,
  MIDNIGHT,
  MUCH_LATER,
  opening,
  writeSentences,
  undecided,
} from '../../../support/history/refusals.ts';

const NEW_KEY = 'What to do: use the key that replaced it, or ask the operators of the API for a new one.';
const CHARGED = 'The request used 1 unit of the quota, like any other.';
const UNCHARGED = 'The request did not count against the quota.';
const TRY_AGAIN =
  'What to do: try again, if it is safe to repeat the request. If it fails again, report the request id.';

const keys: readonly Case[] = [
  {
    name: 'an expired key',
    some: { ...undecided, code: 'key_expired', more: { expiresAt: at('09:00:00'), keyStatus: 'active' } },
    sentences: [opening('a call to listPets', '401 key_expired'), 'The key expired at 09:00:00.', UNCHARGED, NEW_KEY],
  },
  {
    name: 'a disabled key',
    some: { ...undecided, code: 'key_revoked', more: { expiresAt: null, keyStatus: 'disabled' } },
    sentences: [opening('a call to listPets', '401 key_revoked'), 'The key was disabled.', UNCHARGED, NEW_KEY],
  },
  {
    name: 'a revoked key, from an address with too many failed attempts',
    some: { ...undecided, code: 'too_many_failed_attempts', more: { expiresAt: null, keyStatus: 'revoked' } },
    sentences: [
      opening('a call to listPets', '429 too_many_failed_attempts'),
      'The key was revoked.',
      "Too many attempts with an invalid key had come from the client's address.",
      UNCHARGED,
      NEW_KEY,
    ],
  },
];

const ending = { sunsetAt: Date.parse('2027-12-31T00:00:00Z'), successor: '/pets?id={petId}' };
const operations: readonly Case[] = [
  {
    name: 'an operation past its sunset',
    some: { ...undecided, code: 'operation_sunset', more: { ...ending, sunsetAt: at('00:00:00') } },
    sentences: [
      opening('a call to listPets', '410 operation_sunset'),
      'The operation was removed at 2026-11-21 00:00:00 UTC.',
      UNCHARGED,
      `${MADE_IN_THE_MINUTE} From 10:01:00 to 10:11:00 it made 200 requests, 140 of them refused.`,
      'What to do: move to its successor, /pets?id={petId}.',
    ],
  },
  {
    name: 'a past brownout',
    some: {
      ...undecided,
      freeAt: at('11:00:00'),
      code: 'operation_brownout',
      more: { ...ending, brownout: { from: at('10:00:00'), to: at('11:00:00') } },
    },
    sentences: [
      opening('a call to listPets', '410 operation_brownout'),
      'The operation was switched off from 10:00:00 to 11:00:00 because it will be removed at 2027-12-31 00:00:00 UTC.',
      UNCHARGED,
      `${MADE_IN_THE_MINUTE} From 10:01:00 to 11:01:00 it made 200 requests, 140 of them refused.`,
      'What to do: move to its successor, /pets?id={petId}.',
    ],
  },
  {
    name: 'a current brownout of an operation without a date or a successor',
    some: {
      ...undecided,
      freeAt: MIDNIGHT,
      code: 'operation_brownout',
      more: { sunsetAt: null, successor: null, brownout: { from: at('10:00:00'), to: MIDNIGHT } },
    },
    sentences: [
      opening('a call to listPets', '410 operation_brownout'),
      'The operation is switched off from 10:00:00 to 2026-11-22 00:00:00 UTC because it will be removed.',
      UNCHARGED,
      `${MADE_IN_THE_MINUTE} From 10:01:00 until now it made 200 requests, 140 of them refused.`,
      'What to do: ask the operators of the API what replaces it.',
    ],
  },
  {
    name: 'an unknown path',
    some: { ...undecided, code: 'route_not_found', operation: null, path: '/petz', charged: 1 },
    sentences: [
      opening('GET /petz', '404 route_not_found'),
      'There is no operation at this path.',
      CHARGED,
      'What to do: check the path against /_gateway/openapi.json.',
    ],
  },
  {
    name: 'an unsupported method',
    some: {
      ...undecided,
      code: 'method_not_allowed',
      method: 'PUT',
      operation: null,
      path: '/pets',
      charged: 1,
      more: { allow: 'GET, HEAD, POST' },
    },
    sentences: [
      opening('PUT /pets', '405 method_not_allowed'),
      'The path supports GET, HEAD, POST.',
      CHARGED,
      'What to do: use a method listed in Allow.',
    ],
  },
  {
    name: 'a body of a known length that is too large',
    some: { ...undecided, code: 'body_too_large', cost: 5, charged: 5, more: { maxBodyBytes: 1024, bodyBytes: 2000 } },
    sentences: [
      opening('a call to listPets', '413 body_too_large'),
      'The body had 2000 bytes; the operation allows 1024 bytes.',
      'The request used 5 units of the quota, like any other.',
      'What to do: send a smaller body.',
    ],
  },
  {
    name: 'a body of unknown length that is too large',
    some: { ...undecided, code: 'body_too_large', charged: 1, more: { maxBodyBytes: 1024, bodyBytes: null } },
    sentences: [
      opening('a call to listPets', '413 body_too_large'),
      'The body was too large; the operation allows 1024 bytes.',
      CHARGED,
      'What to do: send a smaller body.',
    ],
  },
  {
    name: 'too many WebSockets',
    some: { ...undecided, code: 'too_many_connections', charged: 1 },
    sentences: [
      opening('a call to listPets', '429 too_many_connections'),
      'The key had reached its limit of open WebSockets at this gateway.',
      CHARGED,
      'What to do: close some before opening others, and check for connections that are never closed.',
    ],
  },
  {
    name: 'an operation without WebSockets',
    some: { ...undecided, code: 'upgrade_not_supported', charged: 1 },
    sentences: [
      opening('a call to listPets', '501 upgrade_not_supported'),
      'The operation does not support WebSockets.',
      CHARGED,
      'What to do: call it over plain HTTP, without an upgrade.',
    ],
  },
];

const services: readonly Case[] = [
  {
    name: 'an unreachable service',
    some: { ...undecided, code: 'upstream_unreachable', charged: 1 },
    sentences: [
      opening('a call to listPets', '502 upstream_unreachable'),
      'The service behind the gateway could not be reached, or the connection was lost before it responded.',
      CHARGED,
      TRY_AGAIN,
    ],
  },
  {
    name: 'a slow service',
    some: { ...undecided, code: 'upstream_timeout', charged: 1, durationMs: 30_004 },
    sentences: [
      opening('a call to listPets', '504 upstream_timeout'),
      'The service behind the gateway had not responded after 30 seconds.',
      CHARGED,
      TRY_AGAIN,
    ],
  },
  {
    name: 'a broken service',
    some: { ...undecided, code: 'upstream_bad_response', charged: 1 },
    sentences: [
      opening('a call to listPets', '502 upstream_bad_response'),
      'The service behind the gateway returned an invalid HTTP response.',
      CHARGED,
      TRY_AGAIN,
    ],
  },
  {
    name: 'a busy service',
    some: { ...undecided, code: 'upstream_busy', charged: 1, retryAfterSeconds: 1 },
    sentences: [
      opening('a call to listPets', '503 upstream_busy'),
      'All connections to the service were in use, or it had as many event streams open as it may have.',
      CHARGED,
      'What to do: try again after the time in Retry-After.',
    ],
  },
  {
    name: 'a service with a full queue, at a gateway of an earlier version',
    some: { ...undecided, code: 'overloaded', charged: 1, retryAfterSeconds: 1 },
    sentences: [
      opening('a call to listPets', '503 overloaded'),
      'The queue for the service was full, so this request was not sent to it.',
      CHARGED,
      'What to do: try again after the time in Retry-After.',
    ],
  },
  {
    name: 'unavailable counters',
    some: { ...undecided, code: 'store_unavailable', quota: null, retryAfterSeconds: 1 },
    sentences: [
      opening('a call to listPets', '503 store_unavailable'),
      'The counters could not be reached, and plan free refuses all requests without them.',
      UNCHARGED,
      'What to do: try again after the time in Retry-After.',
    ],
  },
  {
    name: 'any other error',
    some: { ...undecided, code: 'internal_error', charged: 1 },
    sentences: [
      opening('a call to listPets', '500 internal_error'),
      'Something went wrong on our side. Try again if the request is safe to repeat. If it fails again, report the X-Request-Id.',
      CHARGED,
    ],
  },
];

const notAllowed = (more: MoreFacts) => ({ ...undecided, code: 'operation_not_allowed' as const, more });
const restrictions: readonly (Case & { readonly consumer: string })[] = [
  {
    name: 'an operation that the plan does not include',
    some: notAllowed({ excludedBy: ['plan'] }),
    sentences: [
      opening('a call to listPets', '403 operation_not_allowed'),
      'Plan free does not include this operation.',
      UNCHARGED,
      'What to do: add the operation to the plan, or move the key to a plan that includes it.',
    ],
    consumer: 'What to do: request a plan that includes it, or ask the operators of the API.',
  },
  {
    name: 'an operation that only the key does not include',
    some: notAllowed({ excludedBy: ['key'] }),
    sentences: [
      opening('a call to listPets', '403 operation_not_allowed'),
      'The key Shop is restricted to other operations; plan free includes this one.',
      UNCHARGED,
      'What to do: add the operation to the key.',
    ],
    consumer: 'What to do: ask the operators of the API to add the operation to the key.',
  },
  {
    name: 'an operation that neither includes',
    some: notAllowed({ excludedBy: ['plan', 'key'] }),
    sentences: [
      opening('a call to listPets', '403 operation_not_allowed'),
      'Plan free does not include this operation, and the key Shop is restricted to other operations, too.',
      UNCHARGED,
      'What to do: add the operation to the key, and to the plan, or move the key to a plan that includes it.',
    ],
    consumer: 'What to do: ask the operators of the API for a plan that includes it, and to add it to the key.',
  },
  {
    name: 'an operation that is not included, stored by an older gateway',
    some: notAllowed({}),
    sentences: [
      opening('a call to listPets', '403 operation_not_allowed'),
      'Plan free, or the key itself, does not include this operation.',
      UNCHARGED,
      'What to do: add the operation to the plan or the key, or move the key to a plan that includes it.',
    ],
    consumer: 'What to do: request a plan that includes it, or ask the operators of the API.',
  },
];

test.each(restrictions)(
  'the explanation says whether the plan, the key or both exclude the operation: $name',
  ({ some, sentences, consumer }) => {
    const keys = new Map([['key_1', { name: 'Shop' }]]);
    expect(explainRefusal(found(some), { now: MUCH_LATER, reader: 'operator', keys }).sentences).toEqual(sentences);
    expect(explainRefusal(found(some), { now: MUCH_LATER, reader: 'consumer', keys }).sentences.at(-1)).toBe(consumer);
  },
);

test.each([...keys, ...operations, ...services])(
  'the explanation of a refusal has the reason and the advice for $name',
  ({ some, sentences }) => {
    expect(writeSentences(some)).toEqual(sentences);
  },
);

test.each(['constructor', 'of_another_version'])(
  'an unknown error code of another version, such as %s, is explained without a reason',
  (code) => {
    const some = { ...undecided, code: code as 'internal_error', status: 400, charged: 1 };
    expect(writeSentences(some)).toEqual([opening('a call to listPets', `400 ${code}`), CHARGED]);
  },
);
