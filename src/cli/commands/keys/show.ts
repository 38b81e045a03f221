import type { Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { KeyAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { keyFields } from '../../output/keys.ts';
import { printJson } from '../../output/words.ts';
import { verb, type VerbOptions } from '../../verb.ts';

export function keysShow(io: Io): Command {
  return verb('show', 'show a key', 'keys show key_zh3q4XDbm1NAs5NvTGuj')
    .argument('<id>', 'the id of the key')
    .action((id: string, options: VerbOptions) => show(io, id, options));
}

async function show(io: Io, id: string, { json }: VerbOptions): Promise<void> {
  const { body } = await connect(io).call<KeyAnswer>('GET', pathTo('keys', id));
  if (json === true) printJson(io, body);
  else io.out(keyFields(io, body));
}
