import { StoreUnavailable } from '../../base/error-types.ts';

/** The kinds of Redis failures. They are also label values of metrics. */
type FailureKind =
  | 'timeout'
  | 'unreachable'
  | 'refused'
  | 'read_only'
  | 'out_of_memory'
  | 'not_ready'
  | 'not_persisting'
  | 'bad_data'
  | 'other';

export interface Failure {
  readonly kind: FailureKind;
  /** The problem and, if possible, its remedy, for operators. Never contains a secret. */
  readonly reason: string;
}

const KINDS_BY_REPLY: Record<string, FailureKind> = {
  WRONGPASS: 'refused',
  NOAUTH: 'refused',
  NOPERM: 'refused',
  DENIED: 'refused',
  READONLY: 'read_only',
  OOM: 'out_of_memory',
  LOADING: 'not_ready',
  BUSY: 'not_ready',
  MASTERDOWN: 'not_ready',
  CLUSTERDOWN: 'not_ready',
  TRYAGAIN: 'not_ready',
  NOREPLICAS: 'not_persisting',
  MISCONF: 'not_persisting',
  WRONGTYPE: 'bad_data',
};

const REASONS: Record<FailureKind, string> = {
  timeout: 'Redis did not answer in time',
  unreachable: 'Redis cannot be reached',
  refused: 'Redis rejected the user, the password or a command: check TOLLGATE_STORE and the ACL',
  read_only: 'Redis is a read-only replica: set TOLLGATE_STORE to the master',
  out_of_memory: 'Redis is out of memory and rejects writes: raise maxmemory',
  not_ready: 'Redis is loading or busy, or part of its cluster is down',
  not_persisting: 'Redis rejects writes because it cannot persist them: see its log',
  bad_data: 'a key in Redis has a value that Tollgate did not write',
  other: 'Redis failed',
};

export const TIMEOUT_FAILURE: Failure = { kind: 'timeout', reason: REASONS.timeout };

const CLOSED_MESSAGE = /closed|writeable|isn't ready|ended|aborted|startup nodes|slots cache|retries per request/i;

/** Translates an error of the Redis client. */
export function explainRedisError(error: unknown): Failure {
  if (!Error.isError(error)) return { kind: 'other', reason: REASONS.other };
  // A cluster client wraps the errors of its nodes.
  const nodeError = (error as { lastNodeError?: unknown }).lastNodeError;
  if (nodeError !== undefined && nodeError !== null && nodeError !== error) return explainRedisError(nodeError);
  const kind = classifyError(error);
  const detail = kind === 'unreachable' || kind === 'other' ? describeError(error) : describeRefusal(error);
  return { kind, reason: REASONS[kind] + (detail === undefined ? '' : ` (${detail})`) };
}

function classifyError(error: NodeJS.ErrnoException): FailureKind {
  const { message } = error;
  if (/timed out|Socket timeout/i.test(message)) return 'timeout';
  if (error.name === 'ReplyError') {
    // If a command in a script fails, the script returns the error unchanged or prefixed by `ERR …: `.
    const code = Object.keys(KINDS_BY_REPLY).find((each) => new RegExp(`(^|[\\s:-])${each}\\b`).test(message));
    if (code !== undefined) return KINDS_BY_REPLY[code] ?? 'other';
    return /user_script|Bad data format/.test(message) ? 'bad_data' : 'other';
  }
  if (error.code !== undefined || CLOSED_MESSAGE.test(message)) return 'unreachable';
  return 'other';
}

function describeError(error: NodeJS.ErrnoException): string {
  if (error.code !== undefined) return [error.code, error.syscall].filter(Boolean).join(' ');
  return CLOSED_MESSAGE.test(error.message) ? 'the connection was closed' : error.message.slice(0, 200);
}

/** Describes a refusal by Redis without the user's name. Both `eval` and `evalsha` are described as "scripts". */
function describeRefusal({ message }: Error): string | undefined {
  if (message.startsWith('DENIED')) return message;
  const command = /no permissions to run the '([^']{1,50})' command/.exec(message)?.[1];
  return command && `no permission to run ${/^eval/i.test(command) ? 'scripts' : command}`;
}

/**
 * Redis failed. The client's error is not kept as the cause, because it contains data that was sent, even passwords.
 */
export class RedisUnavailable extends StoreUnavailable {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/**
 * Waits for a response of Redis for at most `ms`.
 *
 * The client's own timeout is not used, because it blames Redis if this process itself was busy: when the timer fires,
 * a response that arrived in time may still be unread.
 *
 * @param connection the connection, for the reason of a failure
 * @throws RedisUnavailable (as a rejection) for every failure
 */
export function awaitResponse<T>(
  connection: { readonly failure: () => Failure | null },
  ms: number,
  response: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Reject only after all responses that have already arrived are read.
      setImmediate(() => reject(new RedisUnavailable(TIMEOUT_FAILURE)));
    }, ms);
    response.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        const explained = explainRedisError(error);
        // The client does not say why there is no connection, but `connection` may know the reason.
        reject(new RedisUnavailable((explained.kind === 'unreachable' ? connection.failure() : null) ?? explained));
      },
    );
  });
}
