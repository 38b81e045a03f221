import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReleaseFault } from './release-fault.ts';
import { PROBED_GATEWAY, readRunningVersion } from './running-version.ts';

interface PackedFile {
  readonly file: string;
  readonly fileCount: number;
  readonly bytes: number;
}

/**
 * Packs the npm package.
 *
 * @param destination the folder for the packed file
 * @throws ReleaseFault if it cannot be packed or has another version
 */
export function checkPackage(root: string, destination: string, version: string): PackedFile {
  try {
    execute('npm', ['pack', '--silent', '--pack-destination', destination], root);
  } catch (error) {
    throw new ReleaseFault(`npm pack failed: ${formatFailure(error)}`, 'run "npm pack" and mend what it reports');
  }
  const [file] = readdirSync(destination).filter((name) => name.endsWith('.tgz'));
  if (file === undefined) throw new ReleaseFault(`npm pack wrote no file into ${destination}`, 'run "npm pack"');
  const path = join(destination, file);
  const manifest = JSON.parse(execute('tar', ['-xzOf', path, 'package/package.json'], root)) as { version: string };
  if (manifest.version !== version) {
    throw new ReleaseFault(`${file} has the version ${manifest.version}, not ${version}`, 'run "npm pack" again');
  }
  const fileCount = execute('tar', ['-tzf', path], root).trim().split('\n').length;
  return { file, fileCount, bytes: statSync(path).size };
}

/** @throws ReleaseFault if the command line prints another version */
export function checkCommands(root: string, version: string): string {
  return requireVersion('tollgate --version', execute('node', ['bin/tollgate.js', '--version'], root), version);
}

/** @throws ReleaseFault if a gateway of this checkout reports another version */
export async function checkRunningVersion(root: string, version: string): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-release-'));
  try {
    const config = { TOLLGATE_CONFIG: join(root, 'config/gateway.yaml'), TOLLGATE_DATA_DIR: dataDir };
    const env = { PATH: process.env['PATH'], ...PROBED_GATEWAY, ...config };
    return requireVersion('/v1/system', await readRunningVersion(['node', join(root, 'src/main.ts')], env), version);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** @throws ReleaseFault if a version is not the one of this release */
export function requireVersion(source: string, found: string, version: string): string {
  if (found.trim() === version) return version;
  throw new ReleaseFault(`${source} says ${found.trim()}, not ${version}`, 'see src/base/version.ts');
}

function execute(program: string, args: readonly string[], root: string): string {
  return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });
}

/** Formats the last lines that a failed command wrote. */
function formatFailure(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).trim().split('\n').slice(-5).join('\n');
}
