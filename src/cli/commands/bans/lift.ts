import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { UsageAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { toReason, adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

export function bansLift(io: Io): Command {
  return adminCommand(
    'lift',
    'end the ban of a key, and clear its strikes',
    'bans lift key_zh3q4XDbm1NAs5NvTGuj --reason "they fixed their client"',
  )
    .argument('<id>', 'the id of the key, or of another of its rotation chain or account')
    .requiredOption('--reason <why>', 'why, for the list of bans and the audit log', toReason)
    .action((id: string, options: AdminCommandOptions & { readonly reason: string }) => lift(io, id, options));
}

async function lift(
  io: Io,
  id: string,
  { json, reason }: AdminCommandOptions & { readonly reason: string },
): Promise<void> {
  const api = connect(io);
  const { ban } = (await api.call<UsageAnswer>('GET', pathTo('keys', id, 'usage'))).body;
  await api.call('DELETE', pathTo('keys', id, 'ban'), { json: { reason } });
  if (json === true) printJson(io, { keyId: id, lifted: ban });
  else io.out(ban === null ? `Key ${id} was not banned; its strikes are cleared.\n` : `The ban of ${id} is lifted.\n`);
}
