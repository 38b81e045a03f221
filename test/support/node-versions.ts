import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Downloads the oldest Node that the package allows, and one that is too old, as `node24/node` and `node20/node` in a
 * folder. Each subfolder has no other programs, so that it can be the whole PATH.
 */
export async function downloadNodes(folder: string): Promise<void> {
  const system = `${process.platform}-${process.arch}`;
  const name = `node-${system === 'darwin-arm64' ? 'bin-' : ''}${system}`;
  // Some systems have no package for the oldest version, so they get the latest one of the same major version.
  const versions = { 20: '20', 24: system === 'linux-x64' ? '24.0.0' : '24' };
  const specs = Object.values(versions).map((each) => `${name}@${each}`);
  const { stdout } = await execute('npm', ['pack', '--silent', '--json=false', '--prefer-offline', ...specs], {
    cwd: folder,
  });
  for (const file of stdout.trim().split('\n')) {
    const [, major = ''] = /-(\d+)\.\d+\.\d+\.tgz$/.exec(file) ?? [];
    mkdirSync(join(folder, `node${major}`));
    await execute('tar', ['-xzf', file, '-C', `node${major}`, '--strip-components=2', 'package/bin/node'], {
      cwd: folder,
    });
  }
}
