import { LineBatch } from './line-batch.ts';

/**
 * Standard output, for lines. It keeps the process neither from working nor from ending, whatever becomes of it.
 *
 * @param onGap called once writing works again after lines were dropped
 */
export function openStandardOutput(onGap: (dropped: number) => void): LineBatch {
  // Looking at these streams also makes their pipes non-blocking, so that a write to a full one fails at once. Others
  // write to them directly, code of upstreams for one: an `error` that nobody listens to would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const output = new LineBatch(process.stdout.fd, onGap);
  process.once('exit', () => {
    // Node would wait for the hung write, for ever, before it ends.
    if (output.isHung) process.kill(process.pid, 'SIGKILL');
    output.flushAtExit();
  });
  return output;
}
