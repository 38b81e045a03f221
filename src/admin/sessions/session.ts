import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/durations.ts';

/** How long a session lasts without a request. */
export const IDLE_MS = 8 * HOUR_MS;
/** How long it lasts at most: where people have accounts, leaving the company should end it the same day. */
export const LIFETIME_MS = { token: 7 * DAY_MS, link: 7 * DAY_MS, oidc: 12 * HOUR_MS };
/** How long a link that signs in may be used. */
export const LINK_LIFETIME_MS = 15 * MINUTE_MS;

/** What somebody signed in with, which must still hold at each request. */
export type Identity =
  | {
      readonly method: 'token' | 'link';
      /** The name of the admin token. */
      readonly name: string;
      /** Its SHA-256: a token that was replaced ends its sessions. */
      readonly tokenHash: string;
    }
  | {
      readonly method: 'oidc';
      /** `oidc:` and the address or subject, so that no provider can name somebody like a token. */
      readonly name: string;
      readonly issuer: string;
      /** Those values of the configured claim that give a role. */
      readonly claims: readonly string[];
    };

/** Somebody who is signed in to the console. Times are milliseconds since the Unix epoch. */
export interface Session {
  /** `ses_` and 20 random hexadecimal digits. Not a secret: the cookie is another one. */
  readonly id: string;
  readonly identity: Identity;
  /** Where the sign-in came from, so that people recognise their own. */
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: number;
  /** Accurate to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}
