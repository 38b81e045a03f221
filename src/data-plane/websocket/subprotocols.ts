/**
 * The gateway's own subprotocols (RFC 6455, 1.9). Browsers cannot set headers on a WebSocket, so they send the key or the
 * access token as a subprotocol: they offer `tollgate`, and `tollgate.key.KEY` or `tollgate.token.TOKEN`. Services see
 * none of them.
 */

import { looksLikeKey } from '../../http/redact-keys.ts';
import { AMBIGUOUS } from '../credentials/presented-key.ts';

/** The name of the header, in lower case. */
export const SUBPROTOCOLS_HEADER = 'sec-websocket-protocol';

/** The subprotocol that the gateway selects if the service selects none. */
export const GATEWAY_SUBPROTOCOL = 'tollgate';
const KEY_PREFIX = `${GATEWAY_SUBPROTOCOL}.key.`;
const TOKEN_PREFIX = `${GATEWAY_SUBPROTOCOL}.token.`;
/** Matches the gateway's subprotocols in any case, because a secret in a misspelled one must not reach the service either. */
const GATEWAY_NAME = /^tollgate(?:\.|$)/i;

/** The gateway's subprotocols that a handshake offers. */
export interface Offer {
  /** Whether `tollgate` was offered, so that the gateway may select it. */
  readonly includesTollgate: boolean;
  /** Null if no key was offered; AMBIGUOUS if several keys were offered. */
  readonly key: string | typeof AMBIGUOUS | null;
  /** The same for access tokens. */
  readonly token: string | typeof AMBIGUOUS | null;
  /** The reason for refusing the offer, as a sentence without the key and the token; null if the offer is valid. */
  readonly fault: string | null;
}

export const NO_OFFER: Offer = { includesTollgate: false, key: null, token: null, fault: null };

/** @param rawHeaders the raw headers, because only they contain every line if the header is repeated */
export function readOffer(rawHeaders: readonly string[]): Offer {
  const names: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== SUBPROTOCOLS_HEADER) continue;
    names.push(...parseNames(rawHeaders[index + 1] ?? '').filter(isGatewaySubprotocol));
  }
  if (names.length === 0) return NO_OFFER;
  const includesTollgate = names.includes(GATEWAY_SUBPROTOCOL);
  const keys = findValues(names, KEY_PREFIX);
  const tokens = findValues(names, TOKEN_PREFIX);
  const offer: Omit<Offer, 'fault'> = { includesTollgate, key: findOnly(keys), token: findOnly(tokens) };
  const known = names.filter((name) => name === GATEWAY_SUBPROTOCOL).length + keys.length + tokens.length;
  if (known < names.length) return { ...offer, fault: UNKNOWN_NAME_FAULT };
  if (includesTollgate) return { ...offer, fault: null };
  return { ...offer, fault: keys.length > 0 ? TOLLGATE_MISSING_WITH_KEY : TOLLGATE_MISSING_WITH_TOKEN };
}

/** The texts after a prefix. An empty one does not count. */
function findValues(names: readonly string[], prefix: string): readonly string[] {
  return names.filter((name) => name.startsWith(prefix)).flatMap((name) => name.slice(prefix.length) || []);
}

function findOnly([first, ...others]: readonly string[]): string | typeof AMBIGUOUS | null {
  return others.length > 0 ? AMBIGUOUS : (first ?? null);
}

const UNKNOWN_NAME_FAULT =
  'A subprotocol that begins with tollgate is unknown. Offer tollgate and tollgate.key.<API_KEY>, in lower case, or ' +
  'tollgate and tollgate.token.<ACCESS_TOKEN>.';
/**
 * Browsers close a connection if none of their subprotocols is selected. The gateway never selects the one with the key or
 * token, so `tollgate` must be offered too.
 */
const TOLLGATE_MISSING_WITH_KEY =
  'The subprotocol tollgate.key.<API_KEY> was offered without tollgate. Offer both: the gateway selects tollgate.';
const TOLLGATE_MISSING_WITH_TOKEN =
  'The subprotocol tollgate.token.<ACCESS_TOKEN> was offered without tollgate. Offer both: the gateway selects tollgate.';

/** Whether a subprotocol is one of the gateway's, in any case. */
export function isGatewaySubprotocol(name: string): boolean {
  return GATEWAY_NAME.test(name);
}

/** Removes the gateway's subprotocols from one line of `Sec-WebSocket-Protocol`. @returns null to drop the line */
export function removeGatewaySubprotocols(value: string): string | null {
  const names = parseNames(value);
  const keptNames = names.filter((name) => !isGatewaySubprotocol(name) && !looksLikeKey(name));
  if (keptNames.length === names.length) return value;
  return keptNames.length === 0 ? null : keptNames.join(', ');
}

/** Parses a list of names. Empty elements are ignored (RFC 9110, 5.6.1.2). */
function parseNames(value: string): string[] {
  return value.split(',').flatMap((name) => name.trim() || []);
}
