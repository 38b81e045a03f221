import type { Command } from 'commander';
import { connect } from '../../admin/api.ts';
import type { AccountAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly owner: string;
  readonly name: string;
  readonly plan: string;
  readonly email?: string;
}

export function accountsCreate(io: Io): Command {
  return adminCommand(
    'create',
    'create an account, whose consumer may sign in to the portal',
    'accounts create --owner acme --name "Acme Ltd" --plan free --email ann@acme.example',
  )
    .requiredOption('--owner <who>', 'whose keys they are; an owner that has keys already sees them')
    .requiredOption('--name <name>', 'who it is')
    .requiredOption('--plan <id>', 'the plan of the keys made for it')
    .option('--email <address>', 'whoever signs in by OpenID Connect with this address gets this account')
    .option(...REASON)
    .action((options: Options) => create(io, options));
}

async function create(io: Io, { json, reason, ...given }: Options): Promise<void> {
  const { body } = await connect(io).call<AccountAnswer>('POST', '/accounts', { json: given, reason });
  if (json === true) return printJson(io, body);
  io.out(`Account ${body.id} of ${body.owner} is made, on the plan ${body.plan}.\n`);
  io.out(`"tollgate accounts link ${body.id}" makes a link to sign in with.\n`);
}
