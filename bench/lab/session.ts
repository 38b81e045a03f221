import { availableParallelism, cpus } from 'node:os';
import { resolve } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import { parseOptions } from '../options.ts';
import { benchFolder, openLab, type Lab } from './lab.ts';
import { stopAll } from './process.ts';
import { essentialTools, install, findMissing, tools } from './tools.ts';

/** Options of every command that opens a lab. */
const commonOptions = {
  gateway: { type: 'string', default: '..' },
  core: { type: 'string', default: '0' },
  'other-core': { type: 'string', default: '1' },
  install: { type: 'boolean', default: false },
} satisfies ParseArgsOptionsConfig;

const commonHelp = `
  --gateway DIR     the checkout whose gateway is measured (default: the one this bench is in)
  --core N          where the contender runs (0)
  --other-core N    where Redis, the upstream and wrk run (1)
  --install         install with apt-get what is missing, as root`;

/** Reads the options of a command that opens a lab. */
export function parseLabOptions<T extends ParseArgsOptionsConfig>(ownOptions: T, help: string) {
  return parseOptions({ ...commonOptions, ...ownOptions }, `${help}${commonHelp}`);
}

interface CommonValues {
  readonly gateway: string;
  readonly core: string;
  readonly 'other-core': string;
  readonly install: boolean;
}

/**
 * Opens a lab for the duration of the work, and prints the machine. Exits with a message if the lab cannot be opened.
 */
export async function withLab(values: CommonValues, work: (lab: Lab) => Promise<void>): Promise<void> {
  if (process.platform !== 'linux')
    exitWithMessage('the bench needs Linux: it reads /proc and pins processes to cores');
  const [core, otherCore] = [Number(values.core), Number(values['other-core'])];
  if (!(availableParallelism() > 1) || core === otherCore)
    exitWithMessage('the bench needs two cores: see --core, --other-core');
  if (values.install) {
    const toolsToInstall = findMissing(Object.values(tools));
    if (toolsToInstall.length > 0) {
      printProgress(`installing ${toolsToInstall.map((tool) => tool.package).join(', ')}`);
      await install(toolsToInstall);
    }
  }
  const missingTools = findMissing(essentialTools);
  if (missingTools.length > 0) {
    const names = missingTools.map((tool) => tool.name).join(', ');
    exitWithMessage(
      `missing: ${names}. apt-get install ${missingTools.map((tool) => tool.package).join(' ')}, or --install as root`,
    );
  }
  const lab = await openLab({ core, otherCore, gatewayFolder: resolve(benchFolder, values.gateway) });
  try {
    print(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown CPU'}, ${new Date().toISOString().slice(0, 10)}\n`);
    await work(lab);
  } finally {
    await lab.close();
    await stopAll();
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints to standard error, so that the tables can be piped elsewhere. */
export function printProgress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function exitWithMessage(text: string): never {
  printProgress(text);
  process.exit(1);
}
