/**
 * `npm run test:image`: builds the images and runs their tests on a real container engine. It brings what it needs: it
 * uses an engine that answers, or starts one; it pulls the base images, or makes stand-ins where no registry answers.
 *
 * Exits with 3 if no engine could be had, otherwise with the status of the tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { makeStandIns, pullBaseImages } from '../support/image/base-images.ts';
import { runCommand } from '../support/image/commands.ts';
import { type Engine, engineEnvironment, findEngine, NoEngineError, startEngine } from '../support/image/engine.ts';

const NO_ENGINE_STATUS = 3;

let engine: Engine | null = null;
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => void (engine?.stop() ?? Promise.resolve()).finally(() => process.exit(status)));
}

try {
  engine = await provideEngine();
  await buildImages(engine);
  process.exitCode = await runTests(engine, process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof NoEngineError ? NO_ENGINE_STATUS : 1;
} finally {
  await engine?.stop();
}

/** An engine that has the base images. */
async function provideEngine(): Promise<Engine> {
  const found = await findEngine();
  if (found !== null && (await pullBaseImages(found))) return found;
  // Stand-ins have the names of the official images, so they are made only in an engine of our own.
  const own = await startEngine();
  try {
    if (!(await pullBaseImages(own))) await makeStandIns(own);
    return own;
  } catch (error) {
    await own.stop();
    throw error;
  }
}

async function buildImages(on: Engine): Promise<void> {
  const env = engineEnvironment(on);
  const build = ['docker', 'build', '--network', 'host', '--tag'];
  await runCommand([...build, 'tollgate-test', '.'], { env, isShown: true });
  await runCommand([...build, 'tollgate-balancer-test', '--file', 'deploy/balancer.Dockerfile', 'deploy'], { env });
}

async function runTests(on: Engine, args: readonly string[]): Promise<number> {
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.image.config.js', ...args];
  const tests = spawn(process.execPath, jest, { env: { ...process.env, ...engineEnvironment(on) }, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}
