import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { DeliveryAnswer } from '../../admin/answers.ts';
import { Failure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { attemptInWords } from '../../output/webhooks.ts';
import { printJson } from '../../output/json.ts';
import { adminCommand, type AdminCommandOptions } from '../../admin-command.ts';

export function webhooksTest(io: Io): Command {
  return adminCommand(
    'test',
    'send an event webhook.test now, once, even to a disabled webhook; fails if it is not taken',
    'webhooks test whk_4C578RQ63JdXHZx3Zzi8',
  )
    .argument('<id>', 'the id of the webhook')
    .action((id: string, options: AdminCommandOptions) => test(io, id, options));
}

async function test(io: Io, id: string, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<DeliveryAnswer>('POST', pathTo('webhooks', id, 'test'));
  if (json === true) printJson(io, body);
  const [attempt] = body.attempts;
  const how = attempt === undefined ? 'nothing is known of it' : attemptInWords(attempt);
  if (body.status !== 'delivered') throw new Failure(`the test was not taken: ${how}`);
  if (json !== true) io.out(`The test was taken: ${how}.\n`);
}
