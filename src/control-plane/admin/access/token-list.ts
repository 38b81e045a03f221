import { hash, timingSafeEqual } from 'node:crypto';
import type { AdminToken } from './admin-token.ts';

/** The tokens that open the admin API. */
export interface TokenList {
  /** Undefined if it is not one of ours. */
  find(presented: string): AdminToken | undefined;
  /** The token that a session was made from; undefined if it is not in the configuration any more. */
  byHash(name: string, tokenHash: string): AdminToken | undefined;
}

export function createTokenList(tokens: readonly AdminToken[]): TokenList {
  const known = tokens.map((token) => ({ token, digest: digestOf(token.secret), hash: tokenHash(token) }));
  return {
    /** Compares with every token, so that the time it takes reveals neither which one matched nor how much of it. */
    find(presented) {
      const digest = digestOf(presented);
      let found: AdminToken | undefined;
      for (const one of known) if (timingSafeEqual(digest, one.digest)) found = one.token;
      return found;
    },
    byHash: (name, wanted) => known.find((one) => one.token.name === name && one.hash === wanted)?.token,
  };
}

/** What is kept of a token with a session: enough to see that it was replaced. */
export function tokenHash({ secret }: AdminToken): string {
  return digestOf(secret).toString('base64url');
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
