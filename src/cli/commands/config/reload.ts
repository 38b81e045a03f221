import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { ReloadAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

export function configReload(io: Io): Command {
  return adminCommand(
    'reload',
    'have a running gateway read its configuration anew, without a dropped request; one with faults changes nothing',
    'config reload',
    'config reload --reason "two more servers"',
  )
    .option(...REASON)
    .action((options: AdminCommandOptions & ReasonOption) => reload(io, options));
}

async function reload(io: Io, { json, reason }: AdminCommandOptions & ReasonOption): Promise<void> {
  const { body } = await connect(io).call<ReloadAnswer>('POST', '/config/reload', { reason });
  if (json === true) return printJson(io, body);
  const { changed, restart, warnings } = body;
  for (const name of changed) io.out(`changed: ${name}\n`);
  for (const name of restart) io.out(`needs a restart: ${name}\n`);
  for (const warning of warnings) io.out(`warning: ${warning}\n`);
  if (changed.length > 0) io.out('Reloaded.\n');
  else io.out(restart.length > 0 ? 'Nothing else has changed.\n' : 'Nothing has changed.\n');
}
