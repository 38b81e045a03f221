import type { Command } from 'commander';
import { connect } from '../admin/api.ts';
import type { LinkAnswer } from '../admin/answers.ts';
import type { Io } from '../io.ts';
import { printJson, tellLink } from '../output/words.ts';
import { verb, type VerbOptions } from '../verb.ts';

export function consoleCommand(io: Io): Command {
  return verb('console', 'make a link that opens the console and signs you in, once', 'console').action(
    (options: VerbOptions) => makeLink(io, options),
  );
}

async function makeLink(io: Io, { json }: VerbOptions): Promise<void> {
  const { body } = await connect(io).call<LinkAnswer>('POST', '/session/link');
  if (json === true) printJson(io, body);
  else tellLink(io, body);
}
