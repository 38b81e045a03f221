import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { statusVerb } from './status.ts';

export function accountsDisable(io: Io): Command {
  return statusVerb(io, {
    name: 'disable',
    what: 'end the sessions and links of an account, and let nobody sign in; its keys go on',
    status: 'disabled',
    done: 'is disabled, and its sessions have ended: "tollgate accounts enable" takes that back',
  });
}
