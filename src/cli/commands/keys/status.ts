import type { Command } from 'commander';
import type { KeyStatus } from '../../../base/credential.ts';
import { connect, pathTo } from '../../admin/api.ts';
import type { KeyAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { time } from '../../output/format.ts';
import { printJson } from '../../output/json.ts';
import { statusOf } from '../../output/keys.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: KeyStatus;
  /** The key's new state, for the message. */
  readonly done: string;
}

interface ChainOption {
  readonly chain?: true;
}

/** A verb that sets the status of one key. */
export function statusVerb(io: Io, { name, what, status, done }: StatusVerb): Command {
  return adminCommand(name, what, `keys ${name} key_zh3q4XDbm1NAs5NvTGuj`)
    .argument('<id>', 'the id of the key')
    .option('--chain', 'also the keys that replaced it; those that it replaced go with it anyway, unless it is enabled')
    .option(...REASON)
    .action(async (id: string, { json, reason, chain }: AdminCommandOptions & ReasonOption & ChainOption) => {
      const path = chain === true ? `${pathTo('keys', id)}?chain=true` : pathTo('keys', id);
      const { body } = await connect(io).call<KeyAnswer>('PATCH', path, { json: { status }, reason });
      if (json === true) printJson(io, body);
      else {
        const isExpired = statusOf(body, io.now()) === 'expired';
        const ended = isExpired ? `, but it expired at ${time(body.expiresAt ?? '')} UTC` : '';
        io.out(`Key ${body.id} of ${body.owner} ${done}${ended}.\n`);
      }
    });
}
