import { readConfiguredFile } from '../base/configured-file.ts';

/**
 * TLS to PostgreSQL, as set by parameters of its URL: `sslmode`, and the PEM files `sslrootcert`, `sslcert` and
 * `sslkey`. These modes encrypt and also verify the certificate and the host name. The only mode that encrypts without
 * verifying is `no-verify`.
 */
const VERIFYING_MODES = ['verify-full', 'verify-ca', 'require', 'prefer'];
const MODES = ['disable', 'no-verify', ...VERIFYING_MODES];
const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * Finds an error in the TLS parameters of a URL; null if they can be used. The message does not quote the URL, because
 * it may contain a password.
 */
export function findTlsFault(url: string): string | null {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  if (mode !== null && !MODES.includes(mode) && !usesLibpqModes(searchParams)) {
    return `has an sslmode that is not known: use verify-full, no-verify or disable`;
  }
  for (const name of FILE_PARAMETERS) {
    const file = searchParams.get(name);
    const error = file === null ? null : findErrorCode(() => readConfiguredFile(file));
    if (error !== null)
      return `has ${name}=${file}, which cannot be read (${error}): give the absolute path of a PEM file`;
  }
  return null;
}

/** Replaces `sslmode` by `verify-full` for every mode whose meaning the driver's next version will change. */
export function withFixedTlsMode(url: string): string {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get('sslmode');
  if (mode === null || mode === 'verify-full' || !VERIFYING_MODES.includes(mode) || usesLibpqModes(parsed.searchParams))
    return url;
  parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}

/** Whether the URL asks the driver to interpret modes as libpq does. There, `require` verifies no certificate. */
function usesLibpqModes(parameters: URLSearchParams): boolean {
  return parameters.get('uselibpqcompat') === 'true';
}

function findErrorCode(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}
