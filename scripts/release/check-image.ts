import { buildGatewayImage, provideEngine } from '../../test/support/image/build.ts';
import { runCommand, tryCommand } from '../../test/support/image/commands.ts';
import { type Engine, engineEnvironment, NoEngineError } from '../../test/support/image/engine.ts';
import { requireVersion } from './check-package.ts';
import { ReleaseFault } from './release-fault.ts';
import { PROBED_GATEWAY, readRunningVersion } from './running-version.ts';

const PREFIX = 'org.opencontainers.image.';
const TAG = 'tollgate-release-check';

interface ImageReport {
  readonly bytes: number;
  readonly labelCount: number;
}

/**
 * Builds the image of this machine's architecture, and compares the versions that it names.
 *
 * @throws ReleaseFault if there is no container engine, if the image cannot be built, or if a version differs
 */
export async function checkImage(version: string): Promise<ImageReport> {
  let engine: Engine;
  try {
    engine = await provideEngine();
  } catch (error) {
    if (!(error instanceof NoEngineError)) throw error;
    throw new ReleaseFault(error.message, 'start Docker, or leave out the image with --without-image');
  }
  try {
    return await checkBuiltImage(engine, version);
  } finally {
    await engine.stop();
  }
}

async function checkBuiltImage(engine: Engine, version: string): Promise<ImageReport> {
  const env = engineEnvironment(engine);
  try {
    await buildGatewayImage(engine, TAG);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ReleaseFault(message, 'run "docker build ." and mend what it reports');
  }
  const inspected = await runCommand(['docker', 'image', 'inspect', TAG], { env });
  const [image] = JSON.parse(inspected) as [{ Size: number; Config: { Labels: Record<string, string> } }];
  const { Labels: labels } = image.Config;
  requireVersion(`the label ${PREFIX}version of the image`, labels[`${PREFIX}version`] ?? 'none', version);
  const run = ['docker', 'run', '--rm', '--read-only', '--network', 'host'];
  requireVersion(
    'the command line of the image',
    await runCommand([...run, TAG, 'tollgate', '--version'], { env }),
    version,
  );
  const settings = Object.entries(PROBED_GATEWAY).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const running = await readRunningVersion([...run, ...settings, TAG], { ...process.env, ...env });
  requireVersion('/v1/system of the image', running, version);
  await tryCommand(['docker', 'image', 'rm', TAG], { env });
  return { bytes: image.Size, labelCount: Object.keys(labels).filter((name) => name.startsWith(PREFIX)).length };
}
