import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../../base/awaitable.ts';
import { type Clock, SECOND_MS } from '../../base/time.ts';
import type { Credential } from '../../domain/credential.ts';
import { type ClientAddress, toNetwork } from '../../http/addresses.ts';
import { type CallLimiter } from '../../http/call-limiter.ts';
import { RETRY_SOON, formatRetryAfter } from '../../http/retry-after.ts';
import type { CallerRefusal, CallerSource } from '../credentials/caller-source.ts';
import type { CredentialCache } from '../credentials/credential-cache.ts';
import { SingleFlight } from '../credentials/single-flight.ts';
import type { Exchange, Refusal } from '../exchange/exchange.ts';
import { toUnavailableRefusal } from '../exchange/unavailable.ts';
import type { PresentedToken, TokenFault, TokenVerifier, VerifiedToken } from '../tokens/token-verifier.ts';
import type { RefusedCaller } from '../tokens/verification-tally.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import type { ResourceMetadata } from './protected-resource.ts';

/** The dependencies of accepting access tokens. */
export interface AccessTokens {
  readonly verifier: TokenVerifier;
  readonly callers: CallerSource;
  /** Limits the callers that are created, by issuer. */
  readonly registrations: CallLimiter;
  readonly metadata: ResourceMetadata;
  /** `portal.plan`: the plan of callers whose issuer has none. */
  readonly defaultPlan: string;
}

interface TokenDependencies extends AccessTokens {
  readonly credentialCache: CredentialCache;
  readonly failedAttempts: FailedAttempts;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
}

export type AuthenticateToken = ReturnType<typeof createAuthenticateToken>;

/** Verifies the access token of a request, and finds the key of its caller. */
export function createAuthenticateToken(dependencies: TokenDependencies) {
  const { verifier, callers, registrations, metadata, defaultPlan } = dependencies;
  const { credentialCache, failedAttempts, clientAddress, clock } = dependencies;
  const registering = new SingleFlight<Credential | Refusal>();
  /** Callers that were just refused, by hash. An issuer that has `maxCallers` callers is in it itself. */
  const refused = new LRUCache<string, CallerRefusal>({ max: MAX_REFUSED, ttl: REFUSED_MS });

  /** An expired token is no failed attempt: clients notice the end of a token by its refusal. */
  function refuse(exchange: Exchange, { code, fault }: TokenFault): Awaitable<Refusal> {
    if (code === 'token_keys_unavailable') return { code, headers: ['Retry-After', RETRY_SOON] };
    const challenge = `Bearer error="invalid_token"${metadata.parameter(exchange)}`;
    const refusal: Refusal = { code, message: `The access token ${fault}.`, headers: ['WWW-Authenticate', challenge] };
    return code === 'token_expired' ? refusal : failedAttempts.refuse(exchange, refusal);
  }

  function check(exchange: Exchange, presented: PresentedToken): Awaitable<VerifiedToken | Refusal> {
    const { remembered } = presented;
    if (remembered !== null) return accept(exchange, presented, verifier.recall(presented, remembered));
    const party = toNetwork(clientAddress(exchange.req));
    return verifier.verify(presented, party).then((result) => {
      return 'caller' in result ? accept(exchange, presented, result) : refuse(exchange, result);
    }, toUnavailableRefusal);
  }

  /** The rules of the issuer decide whether the service receives the token. */
  function accept(exchange: Exchange, { token }: PresentedToken, verified: VerifiedToken): VerifiedToken {
    exchange.token = verified;
    exchange.tokenText = token;
    return verified;
  }

  /** Finds the key of the caller. The first token of a caller creates the key. */
  function findCaller(exchange: Exchange, verified: VerifiedToken): Awaitable<Credential | Refusal> {
    const { callerHash } = verified;
    exchange.keyHash = callerHash;
    const known = credentialCache.findCached(callerHash, 'token');
    if (known !== undefined) return known ?? register(verified);
    const party = toNetwork(clientAddress(exchange.req));
    return credentialCache
      .askRegistry(callerHash, 'token', party)
      .then((credential) => credential ?? register(verified), toUnavailableRefusal);
  }

  function register(verified: VerifiedToken): Awaitable<Credential | Refusal> {
    const { config } = verified.issuer;
    if (!config.register) return refuseCaller(verified, 'not_registered', CALLER_UNKNOWN);
    const refusal = refused.get(config.issuer) ?? refused.get(verified.callerHash);
    if (refusal !== undefined) return refuseCaller(verified, refusal, CALLER_UNKNOWN);
    return registering.join(verified.callerHash, () => createCaller(verified));
  }

  function refuseCaller(verified: VerifiedToken, reason: RefusedCaller, refusal: Refusal): Refusal {
    verified.issuer.tally.noteRefusedCaller(reason);
    return refusal;
  }

  async function createCaller(verified: VerifiedToken): Promise<Credential | Refusal> {
    const { caller } = verified;
    const { config } = verified.issuer;
    const usage = await registrations.charge(config.issuer);
    if (usage.exceeded) {
      const headers = ['Retry-After', formatRetryAfter(usage.waitMs)] as const;
      return refuseCaller(verified, 'too_fast', { code: 'overloaded', headers });
    }
    const { plan = defaultPlan, maxCallers, caller: claims } = config;
    try {
      const created = await callers.registerCaller(caller, { plan, maxCallers, claims, now: clock() });
      if (typeof created !== 'string') return created;
      refused.set(created === 'too_many' ? config.issuer : verified.callerHash, created);
      // A caller that is refused and tries again must not use up the limit of those that could be created.
      await registrations.refund(config.issuer);
      return refuseCaller(verified, created, CALLER_UNKNOWN);
    } catch (error) {
      return toUnavailableRefusal(error);
    }
  }

  function read({ req, tunnel }: Exchange): ReturnType<TokenVerifier['read']> {
    return verifier.read(req.rawHeaders, tunnel === null ? null : tunnel.offer.token);
  }

  return { read, check, findCaller };
}

/** For this long, a caller that was refused is refused again without asking the registry. */
const REFUSED_MS = SECOND_MS;
const MAX_REFUSED = 10_000;
const CALLER_UNKNOWN: Refusal = { code: 'caller_unknown' };
