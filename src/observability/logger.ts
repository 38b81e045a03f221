import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Lines go out together: a write for each would cost more than the line. None waits longer than the second of these. */
const BATCH_BYTES = 4096;
const FLUSH_MS = 100;

/** Logs to standard output: JSON, one line each; for people on a terminal. Never hand it a secret. */
export function createLogger(level: string): Logger {
  if (process.stdout.isTTY) return pino({ level }, pretty({ colorize: true, ignore: 'pid,hostname' }));
  return pino({ level }, pino.destination({ fd: 1, sync: false, minLength: BATCH_BYTES, periodicFlush: FLUSH_MS }));
}
