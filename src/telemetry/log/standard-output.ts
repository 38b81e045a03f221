import { LineBatch } from './line-batch.ts';

/**
 * Standard output, for lines. Whatever happens to it, the process goes on working and can still exit.
 *
 * @param onGap called once writing works again after lines were dropped
 */
export function openStandardOutput(onGap: (dropped: number) => void): LineBatch {
  // Accessing these streams also makes their pipes non-blocking, so that a write to a full one fails at once. Other
  // code, such as that of upstreams, writes to them directly: an `error` without a listener would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const output = new LineBatch(process.stdout.fd, onGap);
  process.once('exit', () => {
    // Node would wait for the hung write for ever before it exits.
    if (output.isHung) process.kill(process.pid, 'SIGKILL');
    output.flushAtExit();
  });
  return output;
}
