import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { ChangeContext } from '../registry/audit/audit-entry.ts';
import type { AccountSession, PortalSignIn, SignedIn } from './account-session.ts';

/**
 * Who is signed in to the portal, shared by all gateways of an installation. Only hashes of the secrets are kept. Each
 * change is written together with its audit entry.
 */
export class AccountSessions {
  readonly #database: Database;
  readonly #logger: Logger;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /**
   * @returns who is signed in, and the secret for the cookie, which is kept nowhere; null if there is no such account
   *   or key, or it is not active (any more)
   */
  start(_signIn: PortalSignIn): Promise<{ signedIn: SignedIn; secret: string } | null> {
    return todo(this.#database, this.#logger);
  }

  /** Null if the session has ended, or its account or key is not active any more. */
  find(_cookie: string, _secret: string, _now: number): Promise<SignedIn | null> {
    return todo(this.#database, this.#logger);
  }

  /** Newest first. */
  listOf(_accountId: string, _now: number): Promise<AccountSession[]> {
    return todo(this.#database, this.#logger);
  }

  /** @returns false if there is none with this id */
  end(_id: string, _change: ChangeContext): Promise<boolean> {
    return todo(this.#database, this.#logger);
  }
}

function todo(..._: unknown[]): never {
  throw new Error('not yet');
}
