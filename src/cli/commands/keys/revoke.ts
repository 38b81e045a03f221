import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { statusVerb } from './status.ts';

export function keysRevoke(io: Io): Command {
  return statusVerb(io, {
    name: 'revoke',
    what: 'revoke a key, for good',
    status: 'revoked',
    done: 'is revoked, for good',
  });
}
