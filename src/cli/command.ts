import { Command, InvalidArgumentError } from 'commander';
import { findTextFault } from '../base/text.ts';

/** Creates a command that groups subcommands, such as `keys` with `create` and `list`. */
export function createCommandGroup(name: string, description: string, ...subcommands: readonly Command[]): Command {
  const command = new Command(name).description(description);
  for (const subcommand of subcommands) command.addCommand(subcommand);
  return command;
}

/** Creates a command that calls the admin API. */
export function createAdminCommand(name: string, description: string, ...examples: readonly string[]): Command {
  const heading = examples.length === 1 ? 'Example' : 'Examples';
  return new Command(name)
    .description(description)
    .option('--json', 'Print JSON')
    .addHelpText('after', `\n${heading}:\n${examples.map((example) => `  tollgate ${example}`).join('\n')}`);
}

export interface AdminCommandOptions {
  readonly json?: true;
}

/** Options of a command that can record a reason in the audit log. */
export interface ReasonOption {
  readonly reason?: string;
}

export const REASON_OPTION = ['--reason <text>', 'Reason for the audit log', toReason] as const;

export function toReason(text: string): string {
  return toLine('reason', text);
}

/** Parses a message to a customer. */
export function toMessage(text: string): string {
  return toLine('message', text);
}

function toLine(description: string, text: string): string {
  const line = text.trim();
  const fault = findTextFault(line);
  if (fault !== null) throw new InvalidArgumentError(`The ${description} ${fault}.`);
  if (line !== '' && line.length <= 500 && !/\p{Cc}/u.test(line)) return line;
  throw new InvalidArgumentError('Use 1 to 500 characters, on one line.');
}

/** Parses a positive whole number. */
export function toCount(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number of at least 1.');
}
