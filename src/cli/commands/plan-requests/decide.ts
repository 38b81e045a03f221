import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { PlanRequestAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/words.ts';
import { toReason, verb, type ReasonOption, type VerbOptions } from '../../verb.ts';

type Options = VerbOptions & ReasonOption;

export function planRequestsApprove(io: Io): Command {
  const command = verb(
    'approve',
    'give an account the plan it asked for: all keys made for it move with it',
    'plan-requests approve plr_4C578RQ63JdXHZx3Zzi8 --reason "as agreed by phone"',
  );
  return command
    .argument('<id>', 'the id of the request')
    .option('--reason <why>', 'what the consumer is told', toReason)
    .action(async (id: string, options: Options) => {
      const request = await decide(io, id, 'approve', options);
      if (request !== null) io.out(`Account ${request.account.id} has the plan ${request.plan} now.\n`);
    });
}

export function planRequestsDecline(io: Io): Command {
  const command = verb(
    'decline',
    'decline a request for another plan',
    'plan-requests decline plr_4C578RQ63JdXHZx3Zzi8 --reason "your traffic fits Free well"',
  );
  return command
    .argument('<id>', 'the id of the request')
    .requiredOption('--reason <why>', 'what the consumer is told', toReason)
    .action(async (id: string, options: Options) => {
      const request = await decide(io, id, 'decline', options);
      if (request !== null) io.out(`Account ${request.account.id} stays on the plan ${request.account.plan}.\n`);
    });
}

/** @returns null if it was printed as JSON */
async function decide(
  io: Io,
  id: string,
  decision: 'approve' | 'decline',
  { json, reason }: Options,
): Promise<PlanRequestAnswer | null> {
  const path = pathTo('plan-requests', id, decision);
  const { body } = await connect(io).call<PlanRequestAnswer>('POST', path, { json: { reason } });
  if (json !== true) return body;
  printJson(io, body);
  return null;
}
