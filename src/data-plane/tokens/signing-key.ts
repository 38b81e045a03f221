import { createPublicKey, type KeyObject } from 'node:crypto';
import { isObject, type JsonObject } from '../../base/json.ts';

/** The properties that each signature algorithm requires of its key (RFC 7518, 3.1; RFC 8037; RFC 9864). */
const KEYS = {
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  PS384: { kty: 'RSA' },
  PS512: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
} as const satisfies Record<string, { readonly kty: string; readonly crv?: string }>;

export type TokenAlgorithm = keyof typeof KEYS;

/** The algorithms that can be configured. There is no `none` and no HMAC: the gateway shares no secret with an issuer. */
export const SUPPORTED_ALGORITHMS = Object.keys(KEYS) as TokenAlgorithm[];

/** The parameters of each type of key that make up the public key (RFC 7638, 3.2). */
const PUBLIC_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['e', 'n'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
};
/** The parameters of private keys. An issuer that publishes one has lost the key. */
const PRIVATE_PARAMETERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Smaller RSA keys can be broken (RFC 7518, 3.3). Larger ones only take time. */
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;

/** A public key of an issuer. */
export interface SigningKey {
  readonly kid: string | null;
  /** The algorithms that the key may be used with. */
  readonly algorithms: ReadonlySet<TokenAlgorithm>;
  readonly publicKey: KeyObject;
  /** Equal for the same key with the same rules. */
  readonly identity: string;
  /** Whether the issuer no longer publishes the key. */
  isWithdrawn: boolean;
}

/**
 * Reads a JSON Web Key (RFC 7517, 4).
 *
 * @returns why the key cannot verify signatures of tokens, as a phrase that follows “The key”, or the key
 */
export function readSigningKey(jwk: unknown): SigningKey | string {
  if (!isObject(jwk)) return 'is not a JSON object';
  const { kid, alg, kty, crv } = jwk;
  const parameters = Object.hasOwn(PUBLIC_PARAMETERS, String(kty)) ? PUBLIC_PARAMETERS[String(kty)] : undefined;
  if (parameters === undefined) return 'is of a type (kty) that is not supported';
  const fault = purposeFault(jwk);
  if (fault !== null) return fault;
  const algorithms = SUPPORTED_ALGORITHMS.filter((name) => {
    const needed: { readonly kty: string; readonly crv?: string } = KEYS[name];
    return (alg === undefined || alg === name) && needed.kty === kty && (needed.crv ?? crv) === crv;
  });
  if (algorithms.length === 0) return 'has an algorithm (alg) or a curve (crv) that is not supported';
  const publicKey = importKey(jwk, String(kty), parameters);
  if (typeof publicKey === 'string') return publicKey;
  const identity = JSON.stringify([kid, alg, kty, ...parameters.map((name) => jwk[name])]);
  return {
    kid: typeof kid === 'string' ? kid : null,
    algorithms: new Set(algorithms),
    publicKey,
    identity,
    isWithdrawn: false,
  };
}

/** @returns why a key is not a public key for signatures; null if it is one */
function purposeFault(jwk: JsonObject): string | null {
  const { kid, use, key_ops: operations } = jwk;
  if (PRIVATE_PARAMETERS.some((name) => jwk[name] !== undefined)) {
    return 'contains its private key, which the issuer should withdraw at once';
  }
  if (kid !== undefined && typeof kid !== 'string') return 'has an id (kid) that is not text';
  if (use !== undefined && use !== 'sig') return 'is not for signatures (use)';
  const isForVerification = operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
  return isForVerification ? null : 'is not for the verification of signatures (key_ops)';
}

function importKey(jwk: JsonObject, kty: string, parameters: readonly string[]): KeyObject | string {
  let publicKey: KeyObject;
  try {
    const key = { kty, ...Object.fromEntries(parameters.map((name) => [name, jwk[name]])) };
    publicKey = createPublicKey({ key, format: 'jwk' });
  } catch {
    return `has parameters (${parameters.join(', ')}) that make up no key`;
  }
  if (kty !== 'RSA') return publicKey;
  const { modulusLength = 0, publicExponent = 0n } = publicKey.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS) return `has ${modulusLength} bits: an RSA key needs ${MIN_RSA_BITS}`;
  if (modulusLength > MAX_RSA_BITS) return `has ${modulusLength} bits: an RSA key may have ${MAX_RSA_BITS}`;
  return publicExponent > 1n ? publicKey : 'has an exponent (e) that protects nothing';
}
