import { createProcessIo } from './io.ts';
import { runCli } from './program.ts';

const ended = new AbortController();
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  ended.abort();
  // A reader such as `head` may stop early, which is not a failure.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`tollgate: cannot write the output (${error.code})\n`);
  process.exitCode = 1;
});
// An error of standard error cannot be reported anywhere.
process.stderr.on('error', () => {});

const code = await runCli(process.argv.slice(2), createProcessIo(ended.signal));
// Leave the code of a command that keeps running, such as `start`, which sets it when it ends.
if (code !== 0) process.exitCode = code;
