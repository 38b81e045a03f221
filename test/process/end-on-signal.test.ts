/**
 * The first process of a container receives only the signals that it has a listener for. A SIGTERM in the first 0.8 s,
 * while the program was loading, was lost, and the container was killed at the end of its grace period.
 *
 * The first fix covered only the first moments. Loading blocks the event loop, so a signal received meanwhile is
 * delivered afterward. By then, the early listeners had been replaced by those that drain, and Node drops a pending
 * signal if it has no listener even for an instant.
 */
import { afterAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { run, runProgram } from '../support/gateway/process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const folder = tempFolder();
afterAll(() => folder.remove());

const moments = {
  'when it begins to listen': `process.on('newListener', (name) => {
    if (name === 'SIGTERM') process.nextTick(() => process.kill(process.pid, 'SIGTERM'));
  });`,
  'when it has almost loaded': `import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/\\/(?:src\\/process\\/signals\\.ts|dist\\/gateway\\/start\\.js)$/.test(url)) process.kill(process.pid, 'SIGTERM');
      return next(url, context);
    },
  });`,
};
const programs = [
  ['the gateway', 'src/main.ts', []],
  ['the command line', 'bin/tollgate.js', ['petstore', '--port', '0', '--database', join(folder.path, 'petstore.db')]],
] as const;
const cases = Object.entries(moments).flatMap(([moment, preload]) =>
  programs.map(([program, file, args]) => ({ program, moment, preload, file, args })),
);

test.each(cases)('$program exits on a signal $moment', async ({ preload, file, args }) => {
  const running = run(file, args, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    TOLLGATE_DATA_DIR: folder.path,
    TOLLGATE_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_PORTAL_PORT: '0',
  });
  const killTimer = setTimeout(() => running.child.kill('SIGKILL'), 120_000);
  // The exit code is 143 if the process ended immediately, and 0 if it drained after loading.
  expect([0, 143]).toContain(await running.ended());
  clearTimeout(killTimer);
});

/** True if a process is running. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each([[['npm', 'start']], [['bin/tollgate.js', 'start']]])(
  'the command %j in the documentation passes SIGTERM on to the gateway and waits for its drain',
  async ([program = '', ...args]) => {
    const running = runProgram(program, args, {
      TOLLGATE_DATA_DIR: folder.path,
      TOLLGATE_PORT: '0',
      TOLLGATE_ADMIN_PORT: '0',
      TOLLGATE_PORTAL_PORT: '0',
    });
    const [, pid = ''] = await running.waitForOutput(/"pid":(\d+).*"msg":"listening"/);
    running.child.kill('SIGTERM');
    await running.ended();
    expect(running.output()).toMatch(/"draining"[^]*"stopped"/);
    await until(() => !isRunning(Number(pid)));
  },
);
