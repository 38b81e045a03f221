import { InvalidArgumentError, Option, type Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { KeyAnswer } from '../../admin/answers.ts';
import { list, withListOptions, type ListOptions } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { keyTable } from '../../output/keys.ts';
import { printJson } from '../../output/json.ts';
import { tellOfMore } from '../../output/format.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ListOptions {
  readonly owner?: string;
  readonly plan?: string;
  readonly status?: string;
  readonly search?: string;
}

export function keysList(io: Io): Command {
  const command = adminCommand('list', 'list keys, newest first', 'keys list --plan pro --status active')
    .option('--owner <who>', 'only those of this owner')
    .option('--plan <id>', 'only those on this plan')
    .option('--search <text>', 'only those with this part of their name, owner, id or prefix, in any case', toSearch)
    .addOption(new Option('--status <status>', 'only these').choices(['active', 'disabled', 'revoked']));
  return withListOptions(command).action((options: Options) => show(io, options));
}

function toSearch(text: string): string {
  if (Array.from(text).length >= 3) return text;
  throw new InvalidArgumentError('It must have at least 3 characters.');
}

async function show(io: Io, options: Options): Promise<void> {
  const { owner, plan, status, search: q } = options;
  const keys = await list<KeyAnswer>(connect(io), '/keys', { owner, plan, status, q }, options);
  if (options.json === true) return printJson(io, keys);
  io.out(keys.items.length === 0 ? 'No keys.\n' : keyTable(io, keys.items));
  tellOfMore(io, keys);
}
