import { Command } from 'commander';
import { toDateTime } from '../../../base/time.ts';
import { printable } from '../../../base/text.ts';
import type { Io } from '../../io.ts';
import { time } from '../../output/format.ts';

export function configCheck(io: Io): Command {
  return new Command('check')
    .description('check the configuration and the files it names, and list the operations as the gateway sees them')
    .addHelpText('after', '\nExample:\n  TOLLGATE_CONFIG=/etc/tollgate/gateway.yaml tollgate config check')
    .action(() => check(io));
}

async function check(io: Io): Promise<void> {
  const { loadWithNamedFiles } = await import('../../../config/named-files.ts');
  const { file, upstreams, warnings } = loadWithNamedFiles(io.env, io.cwd);
  for (const { name, document } of upstreams) {
    for (const { method, path, lifecycle } of document.operations) {
      const notes = [
        ...(lifecycle.deprecated ? ['deprecated'] : []),
        ...(lifecycle.stability === 'stable' ? [] : [lifecycle.stability]),
        ...lifecycle.brownouts.map(({ from, to }) => `off ${time(toDateTime(from))} to ${time(toDateTime(to))}`),
      ];
      io.out(`${`${method.padEnd(7)}${printable(path)}`.padEnd(48)} ${name} ${notes.join(', ')}`.trimEnd() + '\n');
    }
  }
  for (const warning of warnings) io.out(`warning: ${warning}\n`);
  io.out(`${file}: no faults\n`);
}
