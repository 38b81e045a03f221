import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { StillAllowed } from './permission.ts';
import { GOING_AWAY, POLICY_VIOLATION } from './frames.ts';

/** Time between two checks of the open connections. */
const CHECK_MS = 1000;

/** A connection that outlives the admission of its request: upgraded, or an event stream. */
export interface LongLived {
  readonly socket: Socket;
  /** @param code the reason, as a WebSocket close code (RFC 6455, 7.4.1) */
  close(code: number): void;
}

export interface Checked {
  readonly connection: LongLived;
  readonly stillAllowed: StillAllowed;
  /** Set if the connection is closed when idle. */
  readonly activity: Activity | null;
}

interface Activity {
  bytes: number;
  /** When `bytes` was last seen to change, in ms by `performance.now()`. */
  at: number;
}

/**
 * Checks all open connections once a second. Closes those that have been idle for too long, and those whose key would
 * no longer be admitted: revoked, disabled, expired or banned.
 *
 * @param idleMs how long a connection may pass no byte in either direction: the setting `edge.tunnelIdle`
 * @returns a function that ends the checks
 */
export function closeIdleAndRevoked(open: Iterable<Checked>, idleMs: number, logger: Logger): () => void {
  const timer = setInterval(() => {
    const now = performance.now();
    for (const checked of open) {
      closeIfIdle(checked, idleMs, now);
      closeIfRevoked(checked, logger);
    }
  }, CHECK_MS);
  return () => clearInterval(timer);
}

function closeIfIdle({ connection, activity }: Checked, idleMs: number, now: number): void {
  if (activity === null) return;
  const { bytesRead, bytesWritten } = connection.socket;
  const bytes = bytesRead + bytesWritten;
  if (bytes !== activity.bytes) Object.assign(activity, { bytes, at: now });
  else if (now - activity.at >= idleMs) connection.close(GOING_AWAY);
}

function closeIfRevoked({ connection, stillAllowed }: Checked, logger: Logger): void {
  stillAllowed().then(
    (allowed) => {
      if (!allowed) connection.close(POLICY_VIOLATION);
    },
    // Not known at the moment: the next check asks again.
    (error: unknown) => logger.debug({ err: error }, 'a connection could not be checked'),
  );
}
