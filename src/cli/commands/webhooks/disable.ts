import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { statusVerb } from './status.ts';

export function webhooksDisable(io: Io): Command {
  return statusVerb(io, {
    name: 'disable',
    what: 'send nothing to a webhook: it is told of no new events, and what is not delivered yet waits',
    status: 'disabled',
    done: 'is disabled: "tollgate webhooks enable" takes that back',
  });
}
