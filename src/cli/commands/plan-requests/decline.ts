import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { toReason, adminCommand } from '../../admin-command.ts';
import { decide, type DecideOptions } from './decide.ts';

export function planRequestsDecline(io: Io): Command {
  const command = adminCommand(
    'decline',
    'decline a request for another plan',
    'plan-requests decline plr_4C578RQ63JdXHZx3Zzi8 --reason "your traffic fits Free well"',
  );
  return command
    .argument('<id>', 'the id of the request')
    .requiredOption('--reason <why>', 'what the consumer is told', toReason)
    .action(async (id: string, options: DecideOptions) => {
      const request = await decide(io, id, 'decline', options);
      if (request !== null) io.out(`Account ${request.account.id} stays on the plan ${request.account.plan}.\n`);
    });
}
