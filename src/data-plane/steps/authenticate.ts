import { type ClientAddress, isAllowedFrom, toNetwork } from '../../http/addresses.ts';
import type { Clock } from '../../base/time.ts';
import { REVOKE_PATH } from '../../http/path-rules.ts';
import { BEARER_CHALLENGE } from '../../http/headers.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { CallErrorCode } from '../../domain/error-codes.ts';
import { findCredentialFault, type Credential } from '../../domain/credential.ts';
import type { CredentialCache } from '../credentials/credential-cache.ts';
import { hashSecret, isWellFormed } from '../../domain/key-format.ts';
import type { Exchange, Refusal } from '../exchange/exchange.ts';
import type { Authenticate } from '../exchange/run-steps.ts';
import type { AddressLimiter } from '../../http/call-limiter.ts';
import type { ForeignHashes, ReadForeignKey } from '../credentials/foreign-keys.ts';
import { AMBIGUOUS, readPresentedKey } from '../credentials/presented-key.ts';
import type { TryItConnections } from '../credentials/try-it-connections.ts';
import { type AccessTokens, type AuthenticateToken, createAuthenticateToken } from './authenticate-token.ts';
import type { VerifiedToken } from '../tokens/token-verifier.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import { toUnavailableRefusal } from '../exchange/unavailable.ts';

interface AuthenticateDependencies {
  /** Null if no access tokens are accepted. */
  readonly tokens: AccessTokens | null;
  readonly credentialCache: CredentialCache;
  readonly tryItConnections: TryItConnections;
  readonly addressLimiter: AddressLimiter;
  readonly clientAddress: ClientAddress;
  readonly failedAttempts: FailedAttempts;
  /** `keys.selfRevoke`. */
  readonly selfRevoke: boolean;
  /** Null if only keys of this gateway are accepted. */
  readonly foreignKeys: ForeignKeys | null;
  readonly clock: Clock;
}

export interface ForeignKeys {
  readonly read: ReadForeignKey;
  /** Whether a text has the form of a foreign key. */
  readonly isKey: (text: string) => boolean;
  readonly hashes: Pick<ForeignHashes, 'mayExist'>;
}

/**
 * Identifies the key. A failed attempt is charged to the address; above the limit of the address, the response no longer
 * says why the attempt failed. A public operation may be called without a key. If a key is sent anyway, it is checked,
 * and the limits of the key apply instead of the limit of the address.
 */
export function createAuthenticateStep({
  tokens,
  credentialCache,
  tryItConnections,
  addressLimiter,
  clientAddress,
  failedAttempts,
  selfRevoke,
  foreignKeys,
  clock,
}: AuthenticateDependencies): Authenticate {
  const dependencies = { credentialCache, failedAttempts, clientAddress, clock };
  const withTokens = tokens === null ? null : createAuthenticateToken({ ...tokens, ...dependencies });

  return function authenticate(exchange): Awaitable<Credential | null | Refusal> {
    const { req, tunnel } = exchange;
    const presentedKey = readPresentedKey(req.rawHeaders);
    const foreignKey = foreignKeys === null ? null : foreignKeys.read(req.rawHeaders);
    const offeredKey = tunnel === null ? null : tunnel.offer.key;
    const key = combineKeys(combineKeys(presentedKey, foreignKey), offeredKey);
    const token = withTokens === null ? null : withTokens.read(exchange);
    if (key === AMBIGUOUS) return KEY_AMBIGUOUS;
    if (token === AMBIGUOUS) return TOKEN_AMBIGUOUS;
    if (tunnel !== null && tunnel.offer.fault !== null) return { code: 'bad_request', message: tunnel.offer.fault };
    if (withTokens === null && tunnel !== null && tunnel.offer.token !== null) return TOKENS_NOT_ACCEPTED;
    const mayBeForeign = foreignKey !== null || offeredKey !== null;
    // A value that is a foreign key by its form is not read as a token.
    if (withTokens === null || token === null || token.token === foreignKey)
      return withKeyOnly(exchange, key, mayBeForeign);
    const checked = withTokens.check(exchange, token);
    const proceed = (verified: VerifiedToken | Refusal) => {
      if ('code' in verified) return verified;
      // If there is a key as well, the key names the caller and pays.
      const isCaller = key === null && tryItConnections.findKeyHash(req.socket) === undefined;
      return isCaller ? withCaller(exchange, withTokens, verified) : withKeyOnly(exchange, key, mayBeForeign);
    };
    return checked instanceof Promise ? checked.then(proceed) : proceed(checked);
  };

  /** @param mayBeForeign whether the key was sent where foreign keys are sent */
  function withKeyOnly(
    exchange: Exchange,
    key: string | null,
    mayBeForeign: boolean,
  ): Awaitable<Credential | null | Refusal> {
    const trustedHash = tryItConnections.findKeyHash(exchange.req.socket);
    if (trustedHash !== undefined) return key === null ? authenticateKey(exchange, trustedHash) : KEY_AMBIGUOUS;
    if (key === null) return authenticateWithoutKey(exchange);
    if (isWellFormed(key)) return authenticateKey(exchange, hashSecret(key));
    const isForeign = mayBeForeign && foreignKeys !== null && foreignKeys.isKey(key);
    return isForeign ? authenticateForeignKey(exchange, hashSecret(key)) : refuseAttempt(exchange, 'key_invalid');
  }

  function withCaller(
    exchange: Exchange,
    { findCaller }: AuthenticateToken,
    verified: VerifiedToken,
  ): Awaitable<Credential | Refusal> {
    const found = findCaller(exchange, verified);
    const proceed = (caller: Credential | Refusal) => ('code' in caller ? caller : checkCredential(exchange, caller));
    return found instanceof Promise ? found.then(proceed) : proceed(found);
  }

  function authenticateKey(exchange: Exchange, hash: string): Awaitable<Credential | Refusal> {
    exchange.keyHash = hash;
    const cached = credentialCache.findCached(hash, 'secret');
    return cached === undefined ? lookUpCredential(exchange, hash) : checkCredential(exchange, cached);
  }

  /** An address that has used up its limit cannot cause lookups in the registry, except of keys that may exist. */
  function authenticateForeignKey(exchange: Exchange, hash: string): Awaitable<Credential | Refusal> {
    exchange.keyHash = hash;
    const cached = credentialCache.findCached(hash, 'secret');
    if (cached !== undefined) return checkCredential(exchange, cached);
    if (foreignKeys?.hashes.mayExist(hash) !== false) return lookUpCredential(exchange, hash);
    return addressLimiter
      .peek(clientAddress(exchange.req))
      .then(({ remaining }) =>
        remaining === 0 ? refuseAttempt(exchange, 'key_invalid') : lookUpCredential(exchange, hash),
      );
  }

  function authenticateWithoutKey(exchange: Exchange): Awaitable<Credential | null | Refusal> {
    const { match } = exchange;
    const isPublic = match.kind === 'operation' && match.route.operation.public;
    if (isPublic) return null;
    if (tokens === null) return createUnauthorizedRefusal('key_missing');
    const challenge = BEARER_CHALLENGE + tokens.metadata.parameter(exchange);
    return { code: 'key_missing', message: CREDENTIALS_MISSING, headers: ['WWW-Authenticate', challenge] };
  }

  function lookUpCredential(exchange: Exchange, hash: string): Promise<Credential | Refusal> {
    const network = toNetwork(clientAddress(exchange.req));
    return credentialCache
      .askRegistry(hash, 'secret', network)
      .then((credential) => checkCredential(exchange, credential), toUnavailableRefusal);
  }

  function checkCredential(exchange: Exchange, credential: Credential | null): Awaitable<Credential | Refusal> {
    if (credential === null) return refuseAttempt(exchange, 'key_invalid');
    const { addresses, endNotice } = credential;
    exchange.isFromDisallowedAddress = addresses !== null && !isAllowedFrom(addresses, clientAddress(exchange.req));
    const fault = findCredentialFault(credential, clock);
    // This check must come first, because the other refusals reveal something about the key.
    if (exchange.isFromDisallowedAddress && !mayRevoke(exchange, fault)) {
      return failedAttempts.refuseAddress(exchange, credential);
    }
    exchange.credential = credential;
    if (fault !== null) return refuseAttempt(exchange, fault);
    if (endNotice !== null && !exchange.isFromDisallowedAddress) announceKeyExpiry(exchange, credential, endNotice);
    return credential;
  }

  /**
   * Whether the request may revoke the key even from an address that the key does not allow. Someone who finds a leaked
   * key must be able to revoke it, or to learn that it is already revoked.
   */
  function mayRevoke({ path, req }: Exchange, fault: CallErrorCode | null): boolean {
    const isRevocation = selfRevoke && path === REVOKE_PATH && req.method === 'POST';
    return isRevocation && (fault === null || fault === 'key_revoked');
  }

  /**
   * Tells the caller when the old key will stop working. Also records the address, so that the owner can see where the
   * old key is still used.
   */
  function announceKeyExpiry(exchange: Exchange, { keyId }: Credential, endNotice: string): void {
    exchange.headers.push('X-Key-Expires', endNotice);
    // Calls from the portal come from this machine, so their address says nothing about the user.
    const isPortal = tryItConnections.findKeyHash(exchange.req.socket) !== undefined;
    if (!isPortal) credentialCache.noteAddress(keyId, clientAddress(exchange.req));
  }

  function refuseAttempt(exchange: Exchange, code: CallErrorCode): Promise<Refusal> {
    return failedAttempts.refuse(exchange, createUnauthorizedRefusal(code));
  }
}

type PresentedKey = string | typeof AMBIGUOUS | null;

function combineKeys(first: PresentedKey, second: PresentedKey): PresentedKey {
  if (first === null || second === null) return first ?? second;
  return first === second ? first : AMBIGUOUS;
}

const KEY_AMBIGUOUS: Refusal = { code: 'key_ambiguous' };
const TOKEN_AMBIGUOUS: Refusal = {
  code: 'key_ambiguous',
  message: 'More than one access token was sent. Send exactly one, in Authorization.',
};
const CREDENTIALS_MISSING =
  'No API key or access token was sent. Send a key as X-API-Key: <API_KEY>, or a token as Authorization: Bearer <ACCESS_TOKEN>.';
const TOKENS_NOT_ACCEPTED: Refusal = {
  code: 'bad_request',
  message: 'This API accepts no access tokens. Offer tollgate.key.<API_KEY> in place of tollgate.token.<ACCESS_TOKEN>.',
};

function createUnauthorizedRefusal(code: CallErrorCode): Refusal {
  return { code, headers: ['WWW-Authenticate', BEARER_CHALLENGE] };
}
