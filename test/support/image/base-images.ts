import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { installPrograms, isOnPath, rootPrefix } from '../servers/install-programs.js';
import { runCommand, tryCommand } from './commands.ts';
import { engineEnvironment, type Engine, IMAGE_TEST_FOLDER } from './engine.ts';

const root = join(import.meta.dirname, '../../..');
const STAND_INS = join(import.meta.dirname, 'stand-ins');
const BASE = 'tollgate-stand-in/base';
/** The label of a stand-in. Its value is a hash of the sources from which the stand-in was made. */
const LABEL = 'tollgate.stand-in';
/** The folder in which stand-ins are built. */
const CONTEXT = join(IMAGE_TEST_FOLDER, 'context');

/** Lists the images that the Dockerfiles begin with, and the images that the compose file runs. */
function baseImages(): string[] {
  const dockerfiles = ['Dockerfile', 'deploy/balancer.Dockerfile'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const from = dockerfiles.flatMap((text) => text.match(/(?<=^FROM )\S+/gm) ?? []);
  const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { image: string; build?: unknown }>;
  };
  const run = Object.values(compose.services).flatMap(({ image, build }) => (build === undefined ? [image] : []));
  return [...new Set([...from, ...run])];
}

/**
 * Pulls the base images that the engine lacks, or for which it has only stand-ins.
 *
 * @returns true if the engine now has all of them
 */
export async function pullBaseImages(engine: Engine): Promise<boolean> {
  const env = engineEnvironment(engine);
  for (const image of baseImages()) {
    if ((await readLabel(image, env)) === '') continue;
    process.stderr.write(`Pulling ${image}\n`);
    const { ok, output } = await tryCommand(['docker', 'pull', '--quiet', image], { env });
    if (ok) continue;
    process.stderr.write(`${output.trim()}\n`);
    return false;
  }
  return true;
}

/**
 * Makes stand-ins for the base images, for a machine that reaches no image registry. They consist of the system's
 * packages and the Node of the lock file. They have the users, entry points and folders of the official images, but
 * other versions of the programs. So a stand-in shows that our files are right, not that a version is.
 */
export async function makeStandIns(engine: Engine): Promise<void> {
  const env = engineEnvironment(engine);
  await makeBase(env);
  mkdirSync(CONTEXT, { recursive: true });
  const node = await copyNode();
  for (const image of baseImages()) {
    const [name = ''] = image.split(':');
    const dockerfile = join(STAND_INS, `${name}.Dockerfile`);
    if (!existsSync(dockerfile)) throw new Error(`${image} has no stand-in: write ${dockerfile}`);
    const entrypoint = `${name}-entrypoint.sh`;
    const files = [dockerfile, join(STAND_INS, entrypoint)].filter((file) => existsSync(file));
    const contents = files.map((file) => readFileSync(file, 'utf8'));
    const made = hash([...contents, name === 'node' ? node : '']);
    if ((await readLabel(image, env)) === made) continue;
    process.stderr.write(`Making a stand-in for ${image}\n`);
    if (files.length === 2) cpSync(files[1]!, join(CONTEXT, entrypoint));
    const build = ['docker', 'build', '--network', 'host', '--quiet', '--label', `${LABEL}=${made}`, '--tag', image];
    await runCommand([...build, '--file', '-', CONTEXT], { env, input: contents[0]! });
  }
}

/** Makes the image with which all stand-ins begin: a minimal Debian or Ubuntu of this machine's version. */
async function makeBase(env: NodeJS.ProcessEnv): Promise<void> {
  const [codename = ''] = readFileSync('/etc/os-release', 'utf8').match(/(?<=^VERSION_CODENAME=)\w+/m) ?? [];
  if ((await readLabel(BASE, env)) === codename) return;
  installPrograms([
    {
      name: 'debootstrap (no image registry can be reached, so the base images are made from packages)',
      isThere: () => isOnPath('debootstrap'),
      apt: 'debootstrap',
      others: 'or give the machine access to an image registry',
    },
  ]);
  process.stderr.write('Making a base for stand-ins, which takes some minutes\n');
  const folder = join(IMAGE_TEST_FOLDER, 'base');
  const prefix = rootPrefix() ?? [];
  const mirror = await runCommand(['apt-get', 'indextargets', '--format', '$(REPO_URI)', `Codename: ${codename}`]);
  const [from = ''] = mirror.trim().split('\n');
  await runCommand([...prefix, 'rm', '-rf', folder]);
  const packages = '--include=ca-certificates';
  await runCommand([...prefix, 'debootstrap', '--variant=minbase', packages, codename, folder, from]);
  // Use the machine's own package sources and certificates, because no others may be reachable. No services start.
  await runCommand([...prefix, 'sh', '-eu', '-c', PREPARE_BASE, 'sh', folder]);
  await runCommand(
    [
      'sh',
      '-eu',
      '-c',
      'sudo=$1; shift; $sudo tar -C "$1" -c . | docker import --change "LABEL $2" - "$3"',
      'sh',
    ].concat([prefix.join(' '), folder, `${LABEL}=${codename}`, BASE]),
    { env },
  );
  await runCommand([...prefix, 'rm', '-rf', folder]);
}

const PREPARE_BASE = `
  rm -rf "$1"/etc/apt/sources.list "$1"/etc/apt/sources.list.d "$1"/var/cache/apt/archives/*.deb
  cp -rL /etc/apt/sources.list* /etc/apt/apt.conf.d "$1"/etc/apt/
  cp -L /etc/ssl/certs/ca-certificates.crt "$1"/etc/ssl/certs/ca-certificates.crt || true
  printf '#!/bin/sh\\nexit 101\\n' >"$1"/usr/sbin/policy-rc.d
  chmod +x "$1"/usr/sbin/policy-rc.d
`;

/**
 * Copies Node, npm and the settings of npm into the build context.
 *
 * @returns the version of Node
 */
async function copyNode(): Promise<string> {
  const [npm, registry] = [
    await runCommand(['npm', 'root', '--global']),
    await runCommand(['npm', 'config', 'get', 'registry']),
  ];
  for (const name of ['node', 'npm']) rmSync(join(CONTEXT, name), { recursive: true, force: true });
  cpSync(process.execPath, join(CONTEXT, 'node'));
  cpSync(join(npm.trim(), 'npm'), join(CONTEXT, 'npm'), { recursive: true, dereference: true });
  // Use this machine's registry and certificates, because no others may be reachable.
  writeFileSync(join(CONTEXT, 'npmrc'), `registry=${registry.trim()}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`);
  return process.version;
}

/**
 * Reads the label that says from what a stand-in was made.
 *
 * @returns the value; empty for an image that is no stand-in; null if there is no such image
 */
async function readLabel(image: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const format = `{{ index .Config.Labels "${LABEL}" }}`;
  const { ok, stdout } = await tryCommand(['docker', 'image', 'inspect', '--format', format, image], { env });
  return ok ? stdout.trim() : null;
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
