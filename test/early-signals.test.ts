/**
 * The first process of a container gets no signal that it does not listen for. SIGTERM in the first 0.8 s, while the
 * program was loaded, was lost: the container was killed when its whole grace had passed.
 */
import { expect, test } from '@jest/globals';
import { run } from './support/process.ts';

/** Says when the process first listens for SIGTERM. */
const tell = `process.once('newListener', (name) => name === 'SIGTERM' && process.stderr.write('listens'))`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tell)}`;

test.each([
  ['the gateway', 'src/main.ts', [], 0],
  ['the command line', 'bin/tollgate.js', ['petstore', '--port', '0'], 143],
])('%s ends at a signal that comes while it is loaded', async (_, file, args, exitCode) => {
  const running = run(file, args, { NODE_OPTIONS });
  await running.said(/listens/);
  running.child.kill('SIGTERM');
  expect(await running.ended()).toBe(exitCode);
  expect(running.output()).toBe('listens');
});
