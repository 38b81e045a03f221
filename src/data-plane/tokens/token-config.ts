import type { TokenAlgorithm } from './signing-key.ts';

/** An entry of `tokens`: an issuer of access tokens. */
export interface TokenConfig {
  readonly name: string;
  /** The exact value of `iss`. */
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly audienceClaim: 'aud' | 'client_id';
  readonly jwksUri?: string | undefined;
  readonly algorithms: readonly TokenAlgorithm[];
  /** The first of these claims that a token has names the caller. */
  readonly caller: readonly string[];
  /** The plan of a new caller; undefined: `portal.plan`. */
  readonly plan?: string | undefined;
  readonly planClaim?: string | undefined;
  /** False: only callers that an operator has added are served. */
  readonly register: boolean;
  readonly maxCallers: number;
  /** Whether the service receives the token. */
  readonly forward: boolean;
}
