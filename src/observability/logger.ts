import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { LineBatch } from './line-batch.ts';

/** Logs to standard output: JSON, one line each; for people on a terminal. Never hand it a secret. */
export function createLogger(level: string): Logger {
  if (process.stdout.isTTY) return pino({ level }, pretty({ colorize: true, ignore: 'pid,hostname' }));
  // Before the destination is made, which in turn writes what it has when the process exits.
  process.once('exit', () => batch.handOn());
  const batch = new LineBatch(pino.destination({ fd: 1, sync: false }));
  return pino({ level }, batch);
}
