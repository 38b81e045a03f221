import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Logs to standard output: JSON, one line each; for people on a terminal. Never hand it a secret. */
export function createLogger(level: string): Logger {
  if (process.stdout.isTTY) return pino({ level }, pretty({ colorize: true, ignore: 'pid,hostname' }));
  return pino({ level }, pino.destination({ fd: 1, sync: false }));
}
