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
