import { processIo } from './io.ts';
import { runCli } from './program.ts';

const ended = new AbortController();
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  ended.abort();
  // The reader may stop early, as `head` does. That is not a failure.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`tollgate: cannot write the output (${error.code})\n`);
  process.exitCode = 1;
});
// There is nowhere left to report an error.
process.stderr.on('error', () => {});

const code = await runCli(process.argv.slice(2), processIo(ended.signal));
// A command that keeps running, such as start, sets its own exit code when it ends.
if (code !== 0) process.exitCode = code;
