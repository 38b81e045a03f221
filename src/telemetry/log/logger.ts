import { pino, type Logger } from 'pino';
import { LineBatch } from './line-batch.ts';

export interface Log {
  readonly logger: Logger;
  /** The destination of log lines. Other output that must appear in order with them is also written here. */
  readonly output: LineBatch;
}

/**
 * Creates a logger to standard output. It writes one JSON object per line, or a readable format on a terminal. Never
 * log a secret.
 */
export async function openLog(level: string): Promise<Log> {
  const output = openStandardOutput((dropped) => {
    logger.warn({ dropped }, 'log lines were dropped because standard output could not be written');
  });
  const logger = pino({ level }, process.stdout.isTTY ? await createPrettyOutput(output) : output);
  return { logger, output };
}

/** Formats lines for a terminal. The formatter is loaded only if it is used, to keep the start fast. */
async function createPrettyOutput(output: LineBatch) {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ colorize: true, ignore: 'pid,hostname' });
  return {
    write: (line: string) => output.write(format(line)),
    flush: (done: () => void) => output.flush(done),
  };
}

/**
 * Opens standard output for log lines. If it fails, the process keeps working and can still exit.
 *
 * @param onGap see `LineBatch`
 */
function openStandardOutput(onGap: (dropped: number) => void): LineBatch {
  // Accessing these streams makes their pipes non-blocking, so that a write to a full pipe fails immediately. Other
  // code, such as modules of upstreams, may write to these streams directly. Without a listener, an `error` event would
  // then end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const output = new LineBatch(process.stdout.fd, onGap);
  process.once('exit', () => {
    // Otherwise, Node would wait forever for the hung write before exiting.
    if (output.isHung) process.kill(process.pid, 'SIGKILL');
    output.flushAtExit();
  });
  return output;
}
