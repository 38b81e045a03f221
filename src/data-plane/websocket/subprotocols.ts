/**
 * The gateway's own subprotocols (RFC 6455, 1.9). Browsers cannot set headers on a WebSocket, so they offer the key
 * among the subprotocols: `tollgate` and `tollgate.key.KEY`. Services see neither of them.
 */

import { looksLikeKey } from '../../http/redact-keys.ts';
import { AMBIGUOUS } from '../credentials/presented-key.ts';

/** In lower case. */
export const SUBPROTOCOLS_HEADER = 'sec-websocket-protocol';

/** The subprotocol that the gateway selects if the service selects none. */
export const GATEWAY_SUBPROTOCOL = 'tollgate';
const KEY_PREFIX = `${GATEWAY_SUBPROTOCOL}.key.`;
/** Ignores case, because a key in a misspelled name must not reach the service either. */
const GATEWAY_NAME = /^tollgate(?:\.|$)/i;

/** The gateway's subprotocols in a handshake. */
export interface Offer {
  /** Whether `tollgate` was offered, so that the gateway may select it. */
  readonly includesTollgate: boolean;
  /** Null if no key was offered; AMBIGUOUS if several keys were offered. */
  readonly key: string | typeof AMBIGUOUS | null;
  /** Why the offer is refused, as a sentence that never contains the key; null if the offer is valid. */
  readonly fault: string | null;
}

export const NO_OFFER: Offer = { includesTollgate: false, key: null, fault: null };

/**
 * @param rawHeaders the header may be sent in several lines, which form one list; only the raw headers show every line
 */
export function readOffer(rawHeaders: readonly string[]): Offer {
  const names: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== SUBPROTOCOLS_HEADER) continue;
    names.push(...namesIn(rawHeaders[index + 1] ?? '').filter(isGatewaySubprotocol));
  }
  if (names.length === 0) return NO_OFFER;
  const includesTollgate = names.includes(GATEWAY_SUBPROTOCOL);
  const isKey = (name: string) => name.startsWith(KEY_PREFIX) && name.length > KEY_PREFIX.length;
  const [first, ...others] = names.filter(isKey).map((name) => name.slice(KEY_PREFIX.length));
  const key = others.length > 0 ? AMBIGUOUS : (first ?? null);
  if (!names.every((name) => name === GATEWAY_SUBPROTOCOL || isKey(name))) {
    return { includesTollgate, key, fault: NAME_UNKNOWN };
  }
  return { includesTollgate, key, fault: includesTollgate ? null : TOLLGATE_MISSING };
}

const NAME_UNKNOWN =
  'A subprotocol that begins with tollgate is unknown. Offer tollgate and tollgate.key.<API_KEY>, in lower case.';
/**
 * Browsers end a connection if none of their subprotocols is selected. The gateway never selects the name with the key,
 * so `tollgate` must be offered too.
 */
const TOLLGATE_MISSING =
  'The subprotocol tollgate.key.<API_KEY> was offered without tollgate. Offer both: the gateway selects tollgate.';

/** Whether a subprotocol is for the gateway, however it is spelled. */
export function isGatewaySubprotocol(name: string): boolean {
  return GATEWAY_NAME.test(name);
}

/** One line of `Sec-WebSocket-Protocol` as the service may see it; null to drop the line. */
export function forwardedSubprotocols(value: string): string | null {
  const names = namesIn(value);
  const kept = names.filter((name) => !isGatewaySubprotocol(name) && !looksLikeKey(name));
  if (kept.length === names.length) return value;
  return kept.length === 0 ? null : kept.join(', ');
}

/** The names in a list. Empty elements are left out, because recipients ignore them (RFC 9110, 5.6.1.2). */
function namesIn(value: string): string[] {
  return value.split(',').flatMap((name) => name.trim() || []);
}
