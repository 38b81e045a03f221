import { StartError, StoreUnavailable } from '../base/error-types.ts';
import { tableOf } from '../base/table-of.ts';

/** The kinds of PostgreSQL failures. */
type PostgresFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'no_connection_free'
  | 'too_many_connections'
  | 'not_ready'
  | 'read_only'
  | 'refused'
  | 'tls'
  | 'no_tables'
  | 'out_of_resources'
  | 'busy';

const REASONS: Record<PostgresFailureKind, string> = {
  unreachable: 'PostgreSQL cannot be reached',
  timeout: 'PostgreSQL did not answer in time',
  no_connection_free: 'all connections to PostgreSQL were in use for too long',
  too_many_connections:
    'PostgreSQL has no connection left for this gateway: raise max_connections, or close other connections',
  not_ready: 'PostgreSQL is starting or stopping',
  read_only: 'PostgreSQL accepts no changes: it is a standby, or read-only',
  refused: 'PostgreSQL rejected the user, the password or the database: check TOLLGATE_DATABASE',
  tls: 'no TLS connection to PostgreSQL',
  no_tables:
    'tables of Tollgate are missing from PostgreSQL: restore a backup, or restart the gateway to create empty ones',
  out_of_resources: 'PostgreSQL is out of disk space or memory: see its log',
  busy: 'PostgreSQL aborted a transaction that conflicted with others',
};

/** The kinds by SQLSTATE, or by the first characters of SQLSTATE. */
const KINDS_BY_SQLSTATE = tableOf<PostgresFailureKind>({
  '08': 'unreachable',
  '25006': 'read_only',
  '28': 'refused',
  '3D000': 'refused',
  '42501': 'refused',
  '40001': 'busy',
  '40P01': 'busy',
  '42P01': 'no_tables',
  '53300': 'too_many_connections',
  '53': 'out_of_resources',
  '55P03': 'timeout',
  '57014': 'timeout',
  '57P': 'not_ready',
  '58': 'out_of_resources',
});

/** PostgreSQL failed. The client's error is not kept as the cause, because it may contain data that was sent. */
export class PostgresUnavailable extends StoreUnavailable {
  readonly kind: PostgresFailureKind;

  constructor(kind: PostgresFailureKind, detail = '') {
    super(REASONS[kind] + (detail === '' ? '' : ` (${detail})`));
    this.kind = kind;
  }
}

const TIMEOUT_MESSAGE = /^Query read timeout|^timeout expired|connection timeout$/;

/** Translates an error of a connection to PostgreSQL. Returns the error itself if the query caused it. */
export function explainPostgresError(error: unknown): unknown {
  if (!Error.isError(error) || error instanceof StoreUnavailable || error instanceof StartError) return error;
  const { code, message } = error as Error & { code?: unknown };
  if (isServerError(error) && typeof code === 'string') {
    const kind =
      KINDS_BY_SQLSTATE.get(code) ?? KINDS_BY_SQLSTATE.get(code.slice(0, 3)) ?? KINDS_BY_SQLSTATE.get(code.slice(0, 2));
    // The server's message is included, because it helps the operator and contains no password.
    if (kind === 'refused' && message.includes('no encryption'))
      return new PostgresUnavailable('tls', TLS_REQUIRED_MESSAGE);
    return kind === undefined ? error : new PostgresUnavailable(kind, message);
  }
  const tls = explainTlsFailure(error);
  if (tls !== null) return new PostgresUnavailable('tls', tls);
  if (TIMEOUT_MESSAGE.test(message)) return new PostgresUnavailable('timeout');
  if (message.startsWith('timeout exceeded')) return new PostgresUnavailable('no_connection_free');
  // These errors mean that the gateway uses the client incorrectly.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return new PostgresUnavailable('unreachable', typeof code === 'string' ? code : message);
}

const TLS_REQUIRED_MESSAGE =
  'the server accepts only connections with TLS: add sslmode=verify-full to TOLLGATE_DATABASE';
const UNTRUSTED_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Explains why the client gave up a TLS connection, and how to fix that. Null if the failure has another reason. */
function explainTlsFailure({ code, message }: Error & { readonly code?: unknown }): string | null {
  if (message === 'The server does not support SSL connections')
    return 'the server does not offer TLS: set ssl = on in PostgreSQL, or remove sslmode from TOLLGATE_DATABASE';
  if (typeof code !== 'string') return null;
  if (UNTRUSTED_CODES.has(code))
    return `its certificate is not trusted, ${code}: add sslrootcert=FILE to TOLLGATE_DATABASE, where FILE has the CA certificate`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is for another host, ${message}: use a host name of the certificate in TOLLGATE_DATABASE`;
  const isTls = /^(?:CERT_|ERR_SSL_|ERR_TLS_)/.test(code);
  return isTls ? `${message}: check its certificate, and the TLS parameters in TOLLGATE_DATABASE` : null;
}

/** Whether the error is a response of the server. The connection is then still usable. */
export function isServerError(error: unknown): boolean {
  return typeof (error as { severity?: unknown }).severity === 'string';
}

/** Like `explainPostgresError`, but returns a `StartError` for a failure that only the operator can fix. */
export function toStartError(error: unknown): unknown {
  const { code, message } = error as { code?: string; message: string };
  if (/pg_trgm/.test(message)) {
    return new StartError(
      `PostgreSQL cannot search without the extension pg_trgm, which this user may not create (${message}): ask an ` +
        'administrator to run CREATE EXTENSION pg_trgm in this database',
    );
  }
  const failure = explainPostgresError(error);
  if (failure instanceof PostgresUnavailable && (failure.kind === 'refused' || failure.kind === 'tls'))
    return new StartError(failure.message);
  if (code === '08P01') {
    return new StartError(`PostgreSQL, or a pooler in front of it, refused the connection (${message})`);
  }
  return failure;
}
