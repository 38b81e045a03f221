import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ComparisonResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup, toCount } from './command.ts';
import { formatChangesText, formatChangesMarkdown } from './document-changes.ts';
import { Failure, UsageFailure } from './failure.ts';
import type { Io } from './io.ts';
import { printJson } from './output.ts';
import { pluralize } from '../base/text.ts';

export function createDocumentsCommand(io: Io): Command {
  return createCommandGroup('documents', 'Compare OpenAPI documents with those in force', createDiffCommand(io));
}

interface DiffOptions extends AdminCommandOptions {
  readonly overlay?: readonly string[];
  readonly days: number;
  readonly markdown?: true;
  readonly failOn: 'breaking' | 'called' | 'never';
}

const DEFAULT_DAYS = 30;

const EXIT_HELP = `
Exit codes:
  0  No breaking change, or none that --fail-on names
  1  Breaking changes as --fail-on names them, or the command failed`;

function createDiffCommand(io: Io): Command {
  return createAdminCommand(
    'diff',
    'List the changes that a document makes, and the keys and owners that they break',
    'documents diff petstore petstore.openapi.yaml',
    'documents diff petstore next.yaml --overlay ours.yaml --fail-on breaking',
    'documents diff petstore next.yaml --markdown > comment.md',
  )
    .argument('<upstream>', 'Name of the upstream')
    .argument('<file>', 'The new document, JSON or YAML')
    .option('--overlay <file>', 'Overlay of the new document; may be repeated, in the order of the setting', collect)
    .option('--days <count>', 'How many days of calls count', toCount, DEFAULT_DAYS)
    .option('--markdown', 'Print Markdown, for a comment on a pull request')
    .addOption(
      new Option('--fail-on <changes>', 'Exit with 1 for breaking changes: all, those of called operations, or never')
        .choices(['breaking', 'called', 'never'])
        .default('called'),
    )
    .addHelpText('after', EXIT_HELP)
    .action((upstream: string, file: string, options: DiffOptions) => compare(io, upstream, file, options));
}

function collect(file: string, before: readonly string[] = []): readonly string[] {
  return [...before, file];
}

async function compare(io: Io, upstream: string, file: string, options: DiffOptions): Promise<void> {
  const { overlay = [], days, json, markdown } = options;
  if (json === true && markdown === true) throw new UsageFailure('--json and --markdown cannot be combined');
  const read = (path: string) => readDocument(resolve(io.cwd, path));
  const sent = { upstream, document: read(file), overlays: overlay.map(read), days };
  const { body } = await connect(io).call<ComparisonResponse>('POST', '/documents/diff', { json: sent });
  if (json === true) printJson(io, body);
  else
    io.out(markdown === true ? formatChangesMarkdown(body, days, io.now()) : formatChangesText(body, days, io.now()));
  const { breaking, called } = body.summary;
  const failing = options.failOn === 'never' ? 0 : options.failOn === 'called' ? called : breaking;
  if (failing === 0) return;
  const what = pluralize(failing, 'breaking change');
  const operations = failing === 1 ? 'an operation that is called' : 'operations that are called';
  throw new Failure(options.failOn === 'called' ? `${what} of ${operations}` : what);
}

/** @throws UsageFailure if the file cannot be read */
function readDocument(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageFailure(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}
