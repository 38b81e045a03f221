import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { statusVerb } from './status.ts';

export function accountsEnable(io: Io): Command {
  return statusVerb(io, {
    name: 'enable',
    what: 'let the consumer of a disabled account sign in again',
    status: 'active',
    done: 'is active',
  });
}
