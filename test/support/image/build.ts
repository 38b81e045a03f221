import { join } from 'node:path';
import { makeStandIns, pullBaseImages } from './base-images.ts';
import { runCommand, tryCommand } from './commands.ts';
import { type Engine, engineEnvironment, findEngine, startEngine } from './engine.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Finds or starts an engine, and provides it with the base images.
 *
 * @throws NoEngineError if there is no engine and none can be started
 */
export async function provideEngine(): Promise<Engine> {
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

/** Builds the image of this checkout, with the labels of a release. */
export async function buildGatewayImage(engine: Engine, tag: string): Promise<void> {
  const created = new Date().toISOString();
  const labels = ['--build-arg', `REVISION=${await readRevision()}`, '--build-arg', `CREATED=${created}`];
  const build = ['docker', 'build', '--network', 'host', ...labels, '--tag', tag, root];
  await runCommand(build, { env: engineEnvironment(engine), isShown: true });
}

/**
 * Finds the commit of this checkout.
 *
 * @returns the commit; `unknown` outside of a repository
 */
async function readRevision(): Promise<string> {
  const { ok, stdout } = await tryCommand(['git', '-C', root, 'rev-parse', 'HEAD']);
  return ok ? stdout.trim() : 'unknown';
}
