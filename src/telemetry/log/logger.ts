import { pino, type Logger } from 'pino';
import type { LineBatch } from './line-batch.ts';
import { openStandardOutput } from './standard-output.ts';

export interface Log {
  readonly logger: Logger;
  /** Where the lines go. Also for output that is not a log line but belongs among them. */
  readonly output: LineBatch;
}

/** Logs to standard output: one JSON object per line, or a readable format on a terminal. Never pass it a secret. */
export async function openLog(level: string): Promise<Log> {
  const output = openStandardOutput((dropped) => {
    logger.warn({ dropped }, 'lines of this log were dropped, because standard output could not be written');
  });
  const logger = pino({ level }, process.stdout.isTTY ? await prettified(output) : output);
  return { logger, output };
}

/** Loaded only where it is needed: a start is quick. */
async function prettified(output: LineBatch) {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ colorize: true, ignore: 'pid,hostname' });
  return {
    write: (line: string) => output.write(format(line)),
    flush: (done: () => void) => output.flush(done),
  };
}
