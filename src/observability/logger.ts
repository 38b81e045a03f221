import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { LineBatch } from './line-batch.ts';

/** Logs to standard output: JSON, one line each; for people on a terminal. Never hand it a secret. */
export function createLogger(level: string): Logger {
  if (process.stdout.isTTY) return pino({ level }, pretty({ colorize: true, ignore: 'pid,hostname' }));
  const destination = pino.destination({ fd: 1, sync: false });
  const batch = new LineBatch(destination);
  // What is written in the background when the process exits would be lost.
  process.once('exit', () => {
    destination.flushSync();
    batch.handOn(pino.destination({ fd: 1, sync: true }));
  });
  return pino({ level }, batch);
}
