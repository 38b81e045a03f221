import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { statusVerb } from './status.ts';

export function keysEnable(io: Io): Command {
  return statusVerb(io, {
    name: 'enable',
    what: 'put a disabled key back into service',
    status: 'active',
    done: 'is active',
  });
}
