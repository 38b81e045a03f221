import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { statusVerb } from './status.ts';

export function keysDisable(io: Io): Command {
  return statusVerb(io, {
    name: 'disable',
    what: 'take a key out of service, until it is enabled again',
    status: 'disabled',
    done: 'is disabled, and so is any key that it replaced: "tollgate keys enable" takes that back, key by key',
  });
}
