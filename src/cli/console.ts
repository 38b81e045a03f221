import type { Command } from 'commander';
import type { LinkAnswer } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { adminCommand, type AdminCommandOptions } from './command.ts';
import type { Io } from './io.ts';
import { printJson, printLink } from './output.ts';

export function consoleCommand(io: Io): Command {
  return adminCommand('console', 'Create a single-use link that signs you in to the console', 'console').action(
    (options: AdminCommandOptions) => makeLink(io, options),
  );
}

async function makeLink(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<LinkAnswer>('POST', '/session/link');
  if (json === true) printJson(io, body);
  else printLink(io, body);
}
