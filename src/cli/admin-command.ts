import { Command, InvalidArgumentError } from 'commander';
import { textFault } from '../base/text.ts';

/** A command that calls the admin API. */
export function adminCommand(name: string, what: string, ...examples: readonly string[]): Command {
  const heading = examples.length === 1 ? 'Example' : 'Examples';
  return new Command(name)
    .description(what)
    .option('--json', 'answer with one JSON document')
    .addHelpText('after', `\n${heading}:\n${examples.map((example) => `  tollgate ${example}`).join('\n')}`);
}

export interface AdminCommandOptions {
  readonly json?: true;
}

/** For changes with an optional reason, which goes into the audit log. */
export interface ReasonOption {
  readonly reason?: string;
}

export const REASON = ['--reason <why>', 'why, for the audit log', toReason] as const;

export function toReason(text: string): string {
  const reason = text.trim();
  const fault = textFault(reason);
  if (fault !== null) throw new InvalidArgumentError(`It ${fault}.`);
  if (reason !== '' && reason.length <= 500 && !/\p{Cc}/u.test(reason)) return reason;
  throw new InvalidArgumentError('It must be 1 to 500 characters, on one line.');
}
