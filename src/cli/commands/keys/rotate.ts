import { InvalidArgumentError, type Command } from 'commander';
import { connect, pathTo } from '../../admin/api.ts';
import type { KeyAnswer, NewKeyAnswer } from '../../admin/answers.ts';
import type { Io } from '../../io.ts';
import { tellSecret } from '../../output/keys.ts';
import { printJson } from '../../output/json.ts';
import { time } from '../../output/format.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly graceSeconds?: number;
}

export function keysRotate(io: Io): Command {
  return adminCommand(
    'rotate',
    'replace the secret of a key: the new one comes under a new id, the old one ends after a grace',
    'keys rotate key_zh3q4XDbm1NAs5NvTGuj',
    'keys rotate key_zh3q4XDbm1NAs5NvTGuj --grace-seconds 0 --reason "found in a log"',
  )
    .argument('<id>', 'the id of the key')
    .option(
      '--grace-seconds <seconds>',
      'how long the old secret goes on: a day (86400) unless told, 0 for one that has leaked',
      toSeconds,
    )
    .option(...REASON)
    .action((id: string, options: Options) => rotate(io, id, options));
}

async function rotate(io: Io, id: string, { json, reason, graceSeconds }: Options): Promise<void> {
  const api = connect(io);
  const { body } = await api.call<NewKeyAnswer>('POST', pathTo('keys', id, 'rotate'), {
    json: { graceSeconds },
    reason,
  });
  if (json === true) return printJson(io, body);
  io.out(`Key ${body.id} replaces ${id}. `);
  // The new secret exists now and can be shown only here: show it before anything else can fail.
  tellSecret(io, body);
  const { expiresAt } = (await api.call<KeyAnswer>('GET', pathTo('keys', id))).body;
  const ended = expiresAt !== null && Date.parse(expiresAt) <= io.now();
  io.out(ended ? `The old one has ended.\n` : `The old one works until ${time(expiresAt ?? '')} UTC.\n`);
}

function toSeconds(text: string): number {
  if (/^\d{1,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds, 0 or more.');
}
