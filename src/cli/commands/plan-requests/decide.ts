import { connect, pathTo } from '../../admin/api.ts';
import type { PlanRequestAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import type { ReasonOption, AdminCommandOptions } from '../../admin-command.ts';

export type DecideOptions = AdminCommandOptions & ReasonOption;

/** Decides a request. @returns null if it was printed as JSON */
export async function decide(
  io: Io,
  id: string,
  decision: 'approve' | 'decline',
  { json, reason }: DecideOptions,
): Promise<PlanRequestAnswer | null> {
  const path = pathTo('plan-requests', id, decision);
  const { body } = await connect(io).call<PlanRequestAnswer>('POST', path, { json: { reason } });
  if (json !== true) return body;
  printJson(io, body);
  return null;
}
