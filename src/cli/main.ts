import { processIo } from './io.ts';
import { runCli } from './program.ts';

// Whoever reads our output may stop early, as head does: no more is wanted then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const code = await runCli(process.argv.slice(2), processIo());
// A command that goes on, such as start, sets its own when it ends.
if (code !== 0) process.exitCode = code;
