import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { withoutTrailingSlashes } from '../base/text.ts';
import type { Environment } from '../config/environment.ts';
import { TOKEN_FILE } from '../control-plane/admin/access/admin-tokens.ts';
import { Failure } from './failure.ts';

/** The URL of the admin API and a token for it. */
export interface Access {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** The source of the token, for messages. */
  readonly tokenFrom: string;
}

const DEFAULT_PORT = 8081;
const TOKEN_PATTERN = /^[\x21-\x7e]+$/;

/**
 * Reads the URL and the token from the environment. The token is not an argument, because other users of the machine
 * could read it.
 *
 * @throws Failure
 */
export function findAccess(env: Environment, cwd: string): Access {
  // By default, call the gateway on this machine, which may have the same environment, for example in a container.
  const localUrl = `http://127.0.0.1:${env['TOLLGATE_ADMIN_PORT'] || DEFAULT_PORT}`;
  const url = readUrl(env['TOLLGATE_ADMIN_URL'] || localUrl);
  const { token, tokenFrom } = findToken(env, cwd);
  if (!TOKEN_PATTERN.test(token)) {
    throw new Failure(
      `${tokenFrom} does not hold an admin token: it must be one line of printable ASCII without spaces`,
    );
  }
  return { url, token, tokenFrom };
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (plain && /^https?:$/.test(url.protocol)) return withoutTrailingSlashes(text);
  throw new Failure(`TOLLGATE_ADMIN_URL must be an http:// or https:// URL, such as http://127.0.0.1:${DEFAULT_PORT}`);
}

function findToken(env: Environment, cwd: string): Pick<Access, 'token' | 'tokenFrom'> {
  const given = env['TOLLGATE_ADMIN_TOKEN'];
  if (given) return { token: given, tokenFrom: 'TOLLGATE_ADMIN_TOKEN' };
  const configuredFile = env['TOLLGATE_ADMIN_TOKEN_FILE'];
  const file = configuredFile
    ? resolve(cwd, configuredFile)
    : resolve(cwd, env['TOLLGATE_DATA_DIR'] || 'data', TOKEN_FILE);
  try {
    return { token: readFileSync(file, 'utf8').trim(), tokenFrom: file };
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    if (configuredFile) throw new Failure(`cannot read ${file}, named by TOLLGATE_ADMIN_TOKEN_FILE (${code})`);
    const remedy = 'set TOLLGATE_ADMIN_TOKEN or TOLLGATE_ADMIN_TOKEN_FILE';
    if (code === 'ENOENT') {
      throw new Failure(
        `no admin token found: ${file} does not exist\n  If the gateway runs here, start it first ("tollgate start"), or ` +
          `set TOLLGATE_DATA_DIR to its data directory.\n  If it runs elsewhere, ${remedy}.`,
      );
    }
    throw new Failure(
      `cannot read the admin token in ${file} (${code}): run this as the user of the gateway, or ${remedy}`,
    );
  }
}
