/**
 * The first process of a container gets no signal that it does not listen for. SIGTERM in the first 0.8 s, while the
 * program was loaded, was lost: the container was killed when its whole grace had passed.
 */
import { afterAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { run } from '../support/gateway/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
afterAll(() => folder.remove());

/** Says when the process first listens for SIGTERM. */
const tell = `process.on('newListener', (name) => name === 'SIGTERM' && process.stderr.write('listens'))`;
const env = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}`,
  TOLLGATE_DATA_DIR: folder.path,
  TOLLGATE_PORT: '0',
  TOLLGATE_ADMIN_PORT: '0',
};
const petstore = ['petstore', '--port', '0', '--database', join(folder.path, 'petstore.db')];

test.each([
  ['the gateway', 'src/main.ts', []],
  ['the command line', 'bin/tollgate.js', petstore],
])('%s ends at a signal that comes while it is loaded', async (_, file, args) => {
  const running = run(file, args, env);
  await running.said(/listens/);
  running.child.kill('SIGTERM');
  // At once, or drained, where it is done with loading by then.
  expect([0, 143]).toContain(await running.ended());
});
