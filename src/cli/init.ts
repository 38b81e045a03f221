import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { Failure, UsageFailure } from './failure.ts';
import type { Io } from './io.ts';

const EXAMPLES = join(import.meta.dirname, '../../config');
const PET_STORE_DOCUMENT = 'petstore.openapi.yaml';

interface InitOptions {
  readonly openapi?: string;
  readonly target?: string;
}

export function createInitCommand(io: Io): Command {
  return new Command('init')
    .description('Write a configuration to start from; overwrites no file')
    .argument('[folder]', 'The folder to write to (default: this folder)', '.')
    .option(
      '--openapi <file>',
      'The OpenAPI document of your service, which is copied; default: the built-in pet store',
    )
    .option('--target <url>', 'The URL of your service')
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate init\n' +
        '  tollgate init gateway --openapi shop.openapi.yaml --target http://127.0.0.1:9001',
    )
    .action((folder: string, options: InitOptions) => writeConfiguration(io, folder, options));
}

async function writeConfiguration(io: Io, name: string, { openapi, target }: InitOptions): Promise<void> {
  if ((openapi === undefined) !== (target === undefined)) {
    throw new UsageFailure('give both --openapi and --target: the document of your service, and its URL');
  }
  const folder = resolve(io.cwd, name);
  const source = openapi === undefined ? join(EXAMPLES, PET_STORE_DOCUMENT) : resolve(io.cwd, openapi);
  const document = basename(source);
  const files = new Map([
    ['gateway.yaml', target === undefined ? petStoreSettings() : serviceSettings(document, target)],
    ['plans.yaml', read(join(EXAMPLES, 'plans.yaml'))],
    [document, read(source)],
  ]);
  if (files.size < 3) throw new UsageFailure(`rename ${document}: init writes another file of this name`);
  // A document that is in the folder already stays there.
  if (source === join(folder, document)) files.delete(document);
  const existing = [...files.keys()].filter((file) => existsSync(join(folder, file)));
  if (existing.length > 0) {
    const verb = existing.length === 1 ? 'exists' : 'exist';
    throw new Failure(`${existing.join(' and ')} already ${verb} in ${folder}, so nothing was written`);
  }
  for (const [file, text] of files) write(folder, file, text);
  io.out(`Created ${[...files.keys()].join(', ')} in ${folder}.\n\n`);
  await checkConfiguration(folder);
  io.out(formatNextSteps(io, folder, target !== undefined));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageFailure(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

function write(folder: string, name: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    // Fails if the file exists, even if another process has just created it.
    writeFileSync(join(folder, name), text, { flag: 'wx' });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Failure(`${join(folder, name)} cannot be written (${code})`);
  }
}

/** @throws Failure if the gateway would not start, usually because of something in the document of a service */
async function checkConfiguration(folder: string): Promise<void> {
  const { loadConfig } = await import('../config/load.ts');
  const { StartError } = await import('../base/error-types.ts');
  try {
    loadConfig({ TOLLGATE_CONFIG: join(folder, 'gateway.yaml') }, folder);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new Failure(`the files were written, but the gateway cannot start with them yet.\n${error.message}`);
  }
}

function petStoreSettings(): string {
  return `${INTRODUCTION}
# Create a demo key at the first start, and a few pets.
demo: true

plans: plans.yaml

upstreams:
  - name: petstore
    openapi: ${PET_STORE_DOCUMENT}
    # The built-in pet store. For your own service, name its OpenAPI document above, and replace the next two lines with
    # targets: [http://127.0.0.1:9001]
    module: petstore
    options: { database: petstore.db }

${PORTAL}`;
}

function serviceSettings(document: string, target: string): string {
  return `${INTRODUCTION}
plans: plans.yaml

upstreams:
  - name: ${toUpstreamName(document)}
    openapi: ${JSON.stringify(document)}
    targets: [${JSON.stringify(target)}]

${PORTAL}`;
}

const INTRODUCTION = `# Settings of Tollgate. docs/operators/settings.md lists all of them, and config/gateway.yaml of the package shows each with a
# comment. Paths are relative to this file. After a change, run "tollgate config check".
`;

const PORTAL = `# Where consumers sign in, see their usage and read the reference of the API.
portal:
  enabled: true
  plan: free
`;

/** The name of a service: the beginning of the name of its document, such as `shop` for `shop.openapi.yaml`. */
function toUpstreamName(document: string): string {
  const [name = ''] = document.toLowerCase().split('.', 1);
  const cleaned = name.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 64);
  return /^[a-z][a-z0-9-]*$/.test(cleaned) && !['openapi', 'swagger'].includes(cleaned) ? cleaned : 'service';
}

function formatNextSteps(io: Io, folder: string, isOwnService: boolean): string {
  // npx runs the commands of a package that is installed in a folder.
  const tollgate = io.env['npm_command'] === 'exec' ? 'npx tollgate' : 'tollgate';
  const where = relative(io.cwd, folder);
  const steps = [
    ...(where === '' ? [] : [`  cd ${where}`]),
    `  ${tollgate} start`,
    '',
    isOwnService
      ? `In a second terminal, in the same folder, create a key:\n\n  ${tollgate} keys create --owner me --name "First key" --plan free`
      : 'The first start creates a demo key, and prints a call to try with it and a link to the console.',
  ];
  return `Next:\n\n${steps.join('\n')}\n`;
}
