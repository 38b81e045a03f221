import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { statusVerb } from './status.ts';

export function webhooksEnable(io: Io): Command {
  return statusVerb(io, {
    name: 'enable',
    what: 'send events to a disabled webhook again, first those that it did not get',
    status: 'enabled',
    done: 'is enabled, and gets what was not delivered to it',
  });
}
