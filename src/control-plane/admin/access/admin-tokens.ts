import { randomBytes, hash, timingSafeEqual } from 'node:crypto';
import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguredFile } from '../../../base/configured-file.ts';
import { StartError } from '../../../base/error-types.ts';
import { findTokenFault } from '../../../base/secrets.ts';

export interface AdminTokenConfig {
  /** TOLLGATE_ADMIN_TOKEN; null if it is not set. */
  readonly fromEnvironment: string | null;
  /** An absolute path. */
  readonly dataDir: string;
}

export const TOKEN_FILE = 'admin-token';
const TOKEN_LENGTH = 43;

/** A token in the configuration. */
interface ConfiguredToken {
  readonly name: string;
  readonly role: AdminToken['role'];
  /** Only for the role `publisher`. */
  readonly upstream?: string | undefined;
  readonly token: string;
}

/**
 * Returns all tokens of the admin API: the admin token, named `admin`, and the configured tokens.
 *
 * @throws StartError if the admin token's file cannot be used, or a configured token equals the admin token
 */
export function resolveAdminTokens(
  config: AdminTokenConfig,
  configuredTokens: readonly ConfiguredToken[],
): AdminToken[] {
  const secret = resolveAdminToken(config);
  checkTokensDiffer(secret, configuredTokens);
  return [{ name: 'admin', role: 'admin', secret }, ...configuredTokens.map(toAdminToken)];
}

/**
 * Checks the tokens that `resolveAdminTokens` would use. Creates no file.
 *
 * @throws StartError as `resolveAdminTokens` does
 */
export function checkAdminTokenFile(
  { fromEnvironment, dataDir }: AdminTokenConfig,
  configuredTokens: readonly ConfiguredToken[],
): void {
  const file = join(dataDir, TOKEN_FILE);
  if (fromEnvironment === null && mayExist(file)) checkTokensDiffer(readToken(file), configuredTokens);
}

/** Whether the file may exist. The result is also true if this cannot be found out. */
function mayExist(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function checkTokensDiffer(secret: string, configuredTokens: readonly ConfiguredToken[]): void {
  const duplicate = configuredTokens.find(({ token }) => token === secret);
  if (duplicate === undefined) return;
  throw new StartError(
    `the token of ${duplicate.name} in adminTokens is the same as the admin token: give each its own`,
  );
}

function toAdminToken({ name, role, upstream = '', token: secret }: ConfiguredToken): AdminToken {
  return role === 'publisher' ? { name, role, upstream, secret } : { name, role, secret };
}

/**
 * Returns the admin token, either from the environment or from a file in the data directory. The first start creates
 * this file.
 *
 * @throws StartError if the file cannot be used
 */
export function resolveAdminToken({ fromEnvironment, dataDir }: AdminTokenConfig): string {
  if (fromEnvironment !== null) return fromEnvironment;
  const file = join(dataDir, TOKEN_FILE);
  const newToken = generateToken();
  try {
    // `wx` fails if the file exists. So if two processes start at the same time, only one of them writes the file, and
    // both use its token.
    writeFileSync(file, `${newToken}\n`, { flag: 'wx', mode: 0o600 });
    return newToken;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readToken(file);
    throw new StartError(
      `cannot write the admin token to ${file} (${(error as Error).message}): make the directory writable, or set ` +
        'TOLLGATE_ADMIN_TOKEN',
    );
  }
}

function readToken(file: string): string {
  let token: string;
  try {
    token = readConfiguredFile(file).trim();
  } catch (error) {
    throw new StartError(
      `cannot read the admin token from ${file} (${(error as Error).message}): make the file readable by this ` +
        'user, or set TOLLGATE_ADMIN_TOKEN',
    );
  }
  const fault = findTokenFault(token);
  if (fault === null) return token;
  throw new StartError(
    `the admin token in ${file} ${fault}; delete the file to have a new one created, or set TOLLGATE_ADMIN_TOKEN`,
  );
}

/** Generates a token with more than 250 random bits. It has only letters and digits, so that it can be pasted anywhere. */
function generateToken(): string {
  let token = '';
  while (token.length < TOKEN_LENGTH) token += randomBytes(TOKEN_LENGTH).toString('base64').replace(/[+/=]/g, '');
  return token.slice(0, TOKEN_LENGTH);
}

/** A token that grants access to the admin API. */
export type AdminToken = OperatorToken | PublisherToken;

interface NamedToken {
  /** Recorded as the actor in the audit log. */
  readonly name: string;
  readonly secret: string;
}

/** A token of an operator. */
export interface OperatorToken extends NamedToken {
  /** A `viewer` may only read. */
  readonly role: 'admin' | 'viewer';
}

/** A token of a service, which may only publish its events. */
export interface PublisherToken extends NamedToken {
  readonly role: 'publisher';
  /** The upstream whose events the token publishes. */
  readonly upstream: string;
}

/** The tokens that grant access to the admin API. */
export interface TokenList {
  /** The token with this secret; undefined if there is none. */
  find(secret: string): AdminToken | undefined;
  /** The token that a session was created with; undefined if it is no longer in the configuration. */
  findByHash(name: string, tokenHash: string): AdminToken | undefined;
}

export function createTokenList(tokens: readonly AdminToken[]): TokenList {
  const entries = tokens.map((token) => ({ token, digest: hashSecret(token.secret), hash: hashToken(token) }));
  return {
    /**
     * Compares the secret with every token, so that the response time reveals neither which token matched nor how many of
     * its characters did.
     */
    find(secret) {
      const digest = hashSecret(secret);
      let match: AdminToken | undefined;
      for (const entry of entries) if (timingSafeEqual(digest, entry.digest)) match = entry.token;
      return match;
    },
    findByHash: (name, wantedHash) => entries.find((one) => one.token.name === name && one.hash === wantedHash)?.token,
  };
}

/** The hash that a session stores of its token, so that it can detect that the token was replaced. */
export function hashToken({ secret }: AdminToken): string {
  return hashSecret(secret).toString('base64url');
}

function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
