import type { Command } from 'commander';
import type { LinkResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { createAdminCommand, type AdminCommandOptions } from './command.ts';
import type { Io } from './io.ts';
import { printJson, printLink } from './output.ts';

export function createConsoleCommand(io: Io): Command {
  return createAdminCommand('console', 'Create a single-use link that signs you in to the console', 'console').action(
    (options: AdminCommandOptions) => createLink(io, options),
  );
}

async function createLink(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<LinkResponse>('POST', '/session/link');
  if (json === true) printJson(io, body);
  else printLink(io, body);
}
