import { errors, type CallErrorCode } from '../../../base/error-codes.ts';
import { behaviour } from './behaviour.ts';
import type { Explained, Reason } from './explanation.ts';
import type { MoreFacts, RefusalFacts } from './facts.ts';
import { banned, costTooHigh, limitReached } from './quota-reasons.ts';
import { counted, dateAndTime, lasting, timeNear } from './times-and-counts.ts';

const UNCHARGED = 'Nothing was charged.';

/** The sentences for a code. */
export function reasonFor(code: CallErrorCode): Reason {
  // A gateway of another version may have written a code that this one does not know.
  return (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? unlisted;
}

const REASONS: Partial<Record<CallErrorCode, Reason>> = {
  rate_limit_exceeded: limitReached('minute'),
  quota_exceeded: limitReached('day'),
  key_banned: banned,
  cost_exceeds_limit: costTooHigh,
  key_expired: (explained) => [...badKey(explained), UNCHARGED, NEW_KEY],
  key_revoked: (explained) => [...badKey(explained), UNCHARGED, NEW_KEY],
  too_many_failed_attempts: (explained) => [
    ...badKey(explained),
    'Too many attempts with a bad key had come from the address of the client.',
    UNCHARGED,
    NEW_KEY,
  ],
  operation_sunset: (explained) => [
    `The operation ended${sunsetOf(explained.facts.more)}.`,
    UNCHARGED,
    behaviour(explained),
    successorOf(explained.facts.more),
  ],
  operation_brownout: (explained) => [
    brownoutOf(explained),
    UNCHARGED,
    behaviour(explained),
    successorOf(explained.facts.more),
  ],
  route_not_found: ({ facts }) => [
    'No operation has this path.',
    chargeOf(facts),
    'What to do: compare the path with those in /_gateway/openapi.json.',
  ],
  method_not_allowed: ({ facts }) => [
    `The path takes ${facts.more.allow ?? 'other methods'}.`,
    chargeOf(facts),
    'What to do: use a method of those in Allow.',
  ],
  body_too_large: ({ facts }) => [bodyOf(facts.more), chargeOf(facts), 'What to do: send less at once.'],
  too_many_connections: ({ facts }) => [
    'The key had as many WebSockets open at this gateway as one may have.',
    chargeOf(facts),
    'What to do: close some before opening others, and look for connections that are never closed.',
  ],
  upgrade_not_supported: ({ facts }) => [
    'The service takes no WebSockets on this operation.',
    chargeOf(facts),
    'What to do: call it as plain HTTP.',
  ],
  upstream_unreachable: ({ facts }) => [
    'The service behind the gateway could not be reached, or the connection was lost before it answered.',
    chargeOf(facts),
    TRY_AGAIN,
  ],
  upstream_timeout: ({ facts }) => [
    `The service behind the gateway had not answered after ${lasting(facts.durationMs)}.`,
    chargeOf(facts),
    TRY_AGAIN,
  ],
  upstream_bad_response: ({ facts }) => [
    'What the service behind the gateway answered was not valid HTTP.',
    chargeOf(facts),
    TRY_AGAIN,
  ],
  overloaded: ({ facts }) => [
    'More requests than the service takes at once were waiting for it, so this one was not sent to it.',
    chargeOf(facts),
    'What to do: try again after Retry-After.',
  ],
  store_unavailable: ({ facts }) => [
    `The counters could not be reached, and plan ${facts.plan} lets nothing through without them.`,
    UNCHARGED,
    'What to do: try again after Retry-After.',
  ],
};

const NEW_KEY = 'What to do: use the key that replaced it, or ask the operators of the API for a new one.';
const TRY_AGAIN =
  'What to do: try again, if it does no harm for the service to do the work twice. If that fails too, report the ' +
  'request id.';

/** For codes that have nothing to do with the key: the message of the answer. */
const unlisted: Reason = ({ facts }) => [
  Object.hasOwn(errors, facts.code) ? errors[facts.code].message : null,
  chargeOf(facts),
];

function badKey({ facts: { more }, at }: Explained): string[] {
  const { keyStatus, expiresAt } = more;
  if (keyStatus !== undefined && keyStatus !== 'active') return [`The key was ${keyStatus}.`];
  return [typeof expiresAt === 'number' ? `The key expired at ${timeNear(expiresAt, at)}.` : 'The key had expired.'];
}

function brownoutOf({ facts: { more }, at, now }: Explained): string {
  const { brownout, sunsetAt } = more;
  const end = sunsetAt === null || sunsetAt === undefined ? 'it will end' : `it ends${sunsetOf(more)}`;
  if (brownout === undefined) return `The operation was switched off for a while because ${end}.`;
  const { from, to } = brownout;
  const verb = now < to ? 'is' : 'was';
  return `The operation ${verb} switched off from ${timeNear(from, at)} to ${timeNear(to, at)} because ${end}.`;
}

function sunsetOf({ sunsetAt }: MoreFacts): string {
  return typeof sunsetAt === 'number' ? ` at ${dateAndTime(sunsetAt)}` : '';
}

function successorOf({ successor }: MoreFacts): string {
  return typeof successor === 'string'
    ? `What to do: move to its successor, ${successor}.`
    : 'What to do: ask the operators of the API what replaces it.';
}

function bodyOf({ maxBodyBytes, bodyBytes }: MoreFacts): string {
  const limit = maxBodyBytes === undefined ? '' : `; the operation takes ${counted(maxBodyBytes, 'byte')}`;
  return typeof bodyBytes === 'number'
    ? `The body had ${counted(bodyBytes, 'byte')}${limit}.`
    : `The body was too large${limit}.`;
}

function chargeOf({ charged }: RefusalFacts): string {
  return charged === 0 ? UNCHARGED : `It was charged ${counted(charged, 'unit')}, like any other request.`;
}
