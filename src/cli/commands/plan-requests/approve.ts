import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { toReason, adminCommand } from '../../admin-command.ts';
import { decide, type DecideOptions } from './decide.ts';

export function planRequestsApprove(io: Io): Command {
  const command = adminCommand(
    'approve',
    'give an account the plan it asked for: all keys made for it move with it',
    'plan-requests approve plr_4C578RQ63JdXHZx3Zzi8 --reason "as agreed by phone"',
  );
  return command
    .argument('<id>', 'the id of the request')
    .option('--reason <why>', 'what the consumer is told', toReason)
    .action(async (id: string, options: DecideOptions) => {
      const request = await decide(io, id, 'approve', options);
      if (request !== null) io.out(`Account ${request.account.id} has the plan ${request.plan} now.\n`);
    });
}
