import type { Command } from 'commander';
import type { KeyStatus } from '../../../registry/registry.ts';
import { connect, pathTo } from '../../admin/api.ts';
import type { KeyAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/words.ts';
import { REASON, verb, type ReasonOption, type VerbOptions } from '../../verb.ts';

interface StatusVerb {
  readonly name: string;
  readonly what: string;
  readonly status: KeyStatus;
  /** What is so from then on. */
  readonly done: string;
}

/** A verb that sets the status of one key. */
export function statusVerb(io: Io, { name, what, status, done }: StatusVerb): Command {
  return verb(name, what, `keys ${name} key_zh3q4XDbm1NAs5NvTGuj`)
    .argument('<id>', 'the id of the key')
    .option(...REASON)
    .action(async (id: string, { json, reason }: VerbOptions & ReasonOption) => {
      const { body } = await connect(io).call<KeyAnswer>('PATCH', pathTo('keys', id), { json: { status }, reason });
      if (json === true) printJson(io, body);
      else io.out(`Key ${body.id} of ${body.owner} ${done}.\n`);
    });
}
