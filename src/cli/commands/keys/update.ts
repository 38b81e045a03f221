import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { KeyAnswer } from '../../admin/answers.ts';
import { toCount } from '../../admin/read-pages.ts';
import { UsageFailure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { limitsOf, toDateTime } from '../../key-options.ts';
import { printJson } from '../../output/json.ts';
import { keyFields } from '../../output/keys.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly name?: string;
  readonly plan?: string;
  readonly minute?: number;
  readonly day?: number;
  readonly expiresAt?: string;
}

const NEVER = 'never';

export function keysUpdate(io: Io): Command {
  return adminCommand(
    'update',
    'change a key, from its next request on; what is not named stays as it is',
    'keys update key_zh3q4XDbm1NAs5NvTGuj --plan business',
    'keys update key_zh3q4XDbm1NAs5NvTGuj --expires-at never --reason "paid for another year"',
  )
    .argument('<id>', 'the id of the key')
    .option('--name <name>', 'what it is for')
    .option('--plan <id>', 'the plan; the keys that it replaced get it too')
    .option('--minute <count>', 'requests a minute, where the plan is custom', toCount)
    .option('--day <count>', 'requests a day, where the plan is custom', toCount)
    .option('--expires-at <time>', 'when it ends, such as 2027-12-31T00:00:00Z, or "never"', toEnd)
    .option(...REASON)
    .action((id: string, options: Options) => update(io, id, options));
}

async function update(io: Io, id: string, { json, reason, minute, day, expiresAt, ...given }: Options): Promise<void> {
  const end = expiresAt === undefined ? {} : { expiresAt: expiresAt === NEVER ? null : expiresAt };
  const patch = { ...given, ...end, ...limitsOf(minute, day) };
  if (Object.keys(patch).length === 0) throw new UsageFailure('say what to change: --help lists what can be');
  const { body } = await connect(io).call<KeyAnswer>('PATCH', pathTo('keys', id), { json: patch, reason });
  if (json === true) printJson(io, body);
  else io.out(keyFields(io, body));
}

function toEnd(text: string): string {
  return text === NEVER ? NEVER : toDateTime(text);
}
