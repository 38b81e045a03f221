import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { NewKeyAnswer } from '../../admin/answers.ts';
import { toCount } from '../../admin/read-pages.ts';
import type { Io } from '../../io.ts';
import { limitsOf, toDateTime } from '../../key-options.ts';
import { tellSecret } from '../../output/keys.ts';
import { printJson } from '../../output/json.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly owner: string;
  readonly name: string;
  readonly plan: string;
  readonly minute?: number;
  readonly day?: number;
  readonly expiresAt?: string;
}

export function keysCreate(io: Io): Command {
  return adminCommand(
    'create',
    'create a key, and show its secret: this once',
    'keys create --owner acme --name "Shop backend" --plan pro',
    'keys create --owner acme --name Feed --plan enterprise --minute 5000 --day 2000000',
  )
    .requiredOption('--owner <who>', 'whose key it is; upstreams are told')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--plan <id>', 'the plan')
    .option('--minute <count>', 'requests a minute, where the plan is custom', toCount)
    .option('--day <count>', 'requests a day, where the plan is custom', toCount)
    .option('--expires-at <time>', 'when it ends, such as 2027-12-31T00:00:00Z', toDateTime)
    .option(...REASON)
    .addHelpText('after', '\nMany at once, from a CSV file: tollgate keys import')
    .action((options: Options) => create(io, options));
}

async function create(io: Io, { json, reason, minute, day, ...given }: Options): Promise<void> {
  const wanted = { ...given, ...limitsOf(minute, day) };
  const { body } = await connect(io).call<NewKeyAnswer>('POST', '/keys', { json: wanted, reason });
  if (json === true) return printJson(io, body);
  io.out(`Key ${body.id} of ${body.owner} is made, on the plan ${body.plan}.\n`);
  tellSecret(io, body);
}
