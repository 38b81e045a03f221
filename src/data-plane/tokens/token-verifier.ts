import { compactVerify } from 'jose/jws/compact/verify';
import { LRUCache } from 'lru-cache';
import { type FairSemaphore, Overloaded } from '../../base/fair-semaphore.ts';
import { type Clock, type Millis, MINUTE_MS } from '../../base/time.ts';
import { hashSecret } from '../../domain/key-format.ts';
import { hashCaller, type TokenCaller } from '../../domain/token-caller.ts';
import { AMBIGUOUS } from '../credentials/presented-key.ts';
import { checkClaims, checkHeader, type TokenHeader } from './check-claims.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import {
  bearerToken,
  findAuthorization,
  guessToken,
  parseToken,
  readIssuers,
  type UnverifiedIssuer,
  type UnverifiedToken,
} from './parse-token.ts';
import type { SigningKey, TokenAlgorithm } from './signing-key.ts';
import type { TokenConfig } from './token-config.ts';
import type { VerificationTally } from './verification-tally.ts';

/** An issuer with its rules, keys and counts. */
export interface TokenIssuer {
  readonly config: TokenConfig;
  readonly keys: IssuerKeys;
  readonly tally: VerificationTally;
}

/** A valid token. */
export interface VerifiedToken {
  readonly caller: TokenCaller;
  /** Hash of the caller's key. */
  readonly callerHash: string;
  readonly scopes: ReadonlySet<string>;
  /** `exp` of the token. */
  readonly expiresAt: Millis;
  /** When the token stops being accepted: some time after `exp`, because clocks differ. */
  readonly validUntil: Millis;
  /** The issuer, and the key of the signature. */
  readonly issuer: TokenIssuer;
  readonly key: SigningKey;
}

/** Why a token is refused. `fault` is a phrase that follows “The token”; it contains nothing of the token. */
export interface TokenFault {
  readonly code: 'token_invalid' | 'token_expired' | 'token_keys_unavailable';
  readonly fault: string;
}

/** A token of a request. Unless it is remembered, nothing in it is verified. */
export interface PresentedToken {
  readonly token: string;
  readonly hash: string;
  /** Null if `iss` is ambiguous or, in an offered token, not configured. */
  readonly issuer: TokenIssuer | null;
  readonly remembered: VerifiedToken | null;
}

interface Remembered extends VerifiedToken {
  readonly verifiedAt: Millis;
}

/** A verified token is remembered for at most this time. */
const REMEMBERED_MS = 5 * MINUTE_MS;
const MAX_REMEMBERED = 50_000;
const MAX_REMEMBERED_BYTES = 32 * 1024 ** 2;
/** Estimated size of an entry without its texts and scopes. */
const ENTRY_BYTES = 600;
/** Estimated size of a scope without its text. */
const SCOPE_BYTES = 50;

interface VerifierDependencies {
  readonly issuers: readonly TokenIssuer[];
  readonly verifications: FairSemaphore;
  readonly clock: Clock;
}

/** Verifies access tokens (RFC 9068, RFC 8725) under one configuration, and remembers those that are valid. */
export class TokenVerifier {
  readonly issuers: readonly TokenIssuer[];
  readonly #byIssuer: ReadonlyMap<unknown, TokenIssuer>;
  readonly #verifications: FairSemaphore;
  readonly #clock: Clock;
  readonly #remembered = new LRUCache<string, Remembered>({
    max: MAX_REMEMBERED,
    maxSize: MAX_REMEMBERED_BYTES,
    sizeCalculation: ({ caller, scopes }) =>
      ENTRY_BYTES +
      2 * (caller.value.length + (caller.subject?.length ?? 0) + (caller.planFromClaim?.length ?? 0)) +
      scopes.values().reduce((bytes, scope) => bytes + SCOPE_BYTES + 2 * scope.length, 0),
  });

  constructor({ issuers, verifications, clock }: VerifierDependencies) {
    this.issuers = issuers;
    this.#byIssuer = new Map(issuers.map((issuer) => [issuer.config.issuer, issuer]));
    this.#verifications = verifications;
    this.#clock = clock;
  }

  /**
   * Reads the token of a request.
   *
   * @param offered the token that the handshake of a WebSocket offers as a subprotocol
   * @returns null if there is no token, or if its issuer is not configured (the header then belongs to the service).
   * AMBIGUOUS if there are several tokens, or if there is one in `Authorization` and the header was sent twice
   */
  read(
    rawHeaders: readonly string[],
    offered: string | typeof AMBIGUOUS | null = null,
  ): PresentedToken | typeof AMBIGUOUS | null {
    const sent = this.#readHeader(rawHeaders);
    if (offered === null) return sent;
    return sent === null && offered !== AMBIGUOUS ? this.#readOffered(offered) : AMBIGUOUS;
  }

  /** An offered token is always the gateway's, whatever its issuer. */
  #readOffered(token: string): PresentedToken {
    const hash = hashSecret(token);
    const remembered = this.#recall(hash);
    const issuer = remembered?.issuer ?? this.#findIssuer(readIssuers(token));
    return { token, hash, issuer, remembered };
  }

  #readHeader(rawHeaders: readonly string[]): PresentedToken | typeof AMBIGUOUS | null {
    const authorization = findAuthorization(rawHeaders);
    if (authorization === null || authorization === AMBIGUOUS) return authorization;
    // A remembered token is recognized by its hash alone, which is cheaper than to read it.
    const guess = guessToken(authorization);
    const guessHash = guess === null ? '' : hashSecret(guess);
    const remembered = guess === null ? null : this.#recall(guessHash);
    if (guess !== null && remembered !== null) {
      return { token: guess, hash: guessHash, issuer: remembered.issuer, remembered };
    }
    const token = bearerToken(authorization);
    if (token === null) return null;
    const hash = token === guess ? guessHash : hashSecret(token);
    const named = readIssuers(token);
    const issuer = this.#findIssuer(named);
    return issuer === null && findAmbiguity(named) === null ? null : { token, hash, issuer, remembered: null };
  }

  #findIssuer(named: readonly UnverifiedIssuer[]): TokenIssuer | null {
    const found = named.find(({ issuer }) => this.#byIssuer.has(issuer));
    return found === undefined ? null : (this.#byIssuer.get(found.issuer) ?? null);
  }

  /** Counts the use of a remembered token. */
  recall({ issuer }: PresentedToken, remembered: VerifiedToken): VerifiedToken {
    if (issuer !== null) issuer.tally.counts.remembered.value++;
    return remembered;
  }

  /**
   * Verifies a token.
   *
   * @param party the party that causes the work: waiting verifications queue separately for each party
   * @throws Overloaded (as a rejection) if too many verifications of the party wait
   */
  async verify({ token, hash, issuer }: PresentedToken, party: string): Promise<VerifiedToken | TokenFault> {
    if (issuer === null)
      return invalid(findAmbiguity(readIssuers(token)) ?? 'is not from an issuer that is accepted here');
    const { tally } = issuer;
    const { counts } = tally;
    try {
      const result = await this.#verifySigned(token, issuer, party);
      if ('code' in result) {
        counts[result.code].value++;
        if (result.code === 'token_invalid') tally.noteFault(result.fault);
        return result;
      }
      counts.verified.value++;
      this.#remembered.set(hash, result);
      return result;
    } catch (error) {
      if (error instanceof Overloaded) counts.overloaded.value++;
      throw error;
    }
  }

  /**
   * Checks again a token with which a long connection began. The signature need not be verified again if the issuer still
   * publishes its key.
   *
   * @returns false if the token is no longer accepted, or names another caller. `verified` if nothing has changed, or if
   * the keys of the issuer are not known yet
   */
  confirm(token: string, verified: VerifiedToken): VerifiedToken | false {
    if (this.issuers.includes(verified.issuer) && !verified.key.isWithdrawn) return verified;
    const issuer = this.#findIssuer(readIssuers(token));
    if (issuer === null) return false;
    if (!issuer.keys.isUsable) return verified;
    const parsed = parseToken(token);
    if (typeof parsed === 'string') return false;
    const header = checkHeader(parsed.header, issuer.config);
    if (typeof header === 'string') return false;
    const key = issuer.keys
      .candidates(header.algorithm, header.kid)
      .find(({ publicKey }) => publicKey.equals(verified.key.publicKey));
    if (key === undefined) return false;
    const result = this.#checkClaims(parsed, issuer, key);
    return 'callerHash' in result && result.callerHash === verified.callerHash ? result : false;
  }

  #recall(hash: string): Remembered | null {
    const entry = this.#remembered.get(hash);
    if (entry === undefined) return null;
    const now = this.#clock();
    const isFresh = now >= entry.verifiedAt && now - entry.verifiedAt < REMEMBERED_MS && now <= entry.validUntil;
    return isFresh && !entry.key.isWithdrawn && entry.issuer.keys.isUsable ? entry : null;
  }

  async #verifySigned(token: string, issuer: TokenIssuer, party: string): Promise<Remembered | TokenFault> {
    const { config } = issuer;
    const parsed = parseToken(token);
    if (typeof parsed === 'string') return invalid(parsed);
    const header = checkHeader(parsed.header, config);
    if (typeof header === 'string') return invalid(header);
    const key = await this.#findKey(header, issuer, party);
    if ('code' in key) return key;
    const isSigned = await this.#verifications.run(party, () => isSignedWith(token, header.algorithm, key));
    return isSigned ? this.#checkClaims(parsed, issuer, key) : invalid('has a signature that is not valid');
  }

  async #findKey(
    { algorithm, kid }: TokenHeader,
    { keys }: TokenIssuer,
    party: string,
  ): Promise<SigningKey | TokenFault> {
    let found = keys.isUsable ? keys.candidates(algorithm, kid) : [];
    if (found.length === 0 && keys.mayFindMore) {
      await keys.refresh(party);
      found = keys.candidates(algorithm, kid);
    }
    if (!keys.isUsable) return { code: 'token_keys_unavailable', fault: 'cannot be checked' };
    const [key, ...others] = found;
    if (key === undefined) return invalid('is not signed with a key of its issuer');
    return others.length === 0 ? key : invalid('does not say which key it is signed with (kid)');
  }

  #checkClaims({ claims }: UnverifiedToken, issuer: TokenIssuer, key: SigningKey): Remembered | TokenFault {
    const now = this.#clock();
    const result = checkClaims(claims, issuer.config, now);
    if ('fault' in result) return { code: result.isExpired ? 'token_expired' : 'token_invalid', fault: result.fault };
    const callerHash = hashCaller(result.caller);
    return { ...result, callerHash, issuer, key, verifiedAt: now };
  }
}

function findAmbiguity(named: readonly UnverifiedIssuer[]): string | null {
  return named.find(({ ambiguity }) => ambiguity !== null)?.ambiguity ?? null;
}

function invalid(fault: string): TokenFault {
  return { code: 'token_invalid', fault };
}

export async function isSignedWith(
  token: string,
  algorithm: TokenAlgorithm,
  { publicKey }: Pick<SigningKey, 'publicKey'>,
): Promise<boolean> {
  try {
    await compactVerify(token, publicKey, { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
}
