/**
 * `npm run test:image` builds the images and runs their tests on a real container engine. It uses an engine that
 * responds, or starts one. It pulls the base images, or makes stand-ins if no registry responds.
 *
 * Its exit code is 3 if there is no engine and none can be started, otherwise the status of the tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildGatewayImage, provideEngine } from '../support/image/build.ts';
import { runCommand } from '../support/image/commands.ts';
import { type Engine, engineEnvironment, NoEngineError } from '../support/image/engine.ts';

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
  await buildGatewayImage(engine, 'tollgate-test');
  await buildBalancerImage(engine);
  process.exitCode = await runTests(engine, process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof NoEngineError ? NO_ENGINE_STATUS : 1;
} finally {
  await engine?.stop();
}

async function buildBalancerImage(on: Engine): Promise<void> {
  const build = ['docker', 'build', '--network', 'host', '--tag', 'tollgate-balancer-test'];
  await runCommand([...build, '--file', 'deploy/balancer.Dockerfile', 'deploy'], { env: engineEnvironment(on) });
}

async function runTests(on: Engine, args: readonly string[]): Promise<number> {
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.image.config.js', ...args];
  const tests = spawn(process.execPath, jest, { env: { ...process.env, ...engineEnvironment(on) }, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}
