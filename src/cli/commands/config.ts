import { Command } from 'commander';
import { loadConfig } from '../../config/load.ts';
import { StartError } from '../../start-error.ts';

/** One noun, its verbs. */
export const configCommand = new Command('config')
  .description('the configuration')
  .addCommand(
    new Command('check')
      .description(
        'check the configuration and the documents it names, and list the operations as the gateway sees them',
      )
      .addHelpText('after', '\nExample:\n  TOLLGATE_CONFIG=/etc/tollgate/gateway.yaml tollgate config check')
      .action(check),
  );

function check(): void {
  try {
    const { file, upstreams, warnings } = loadConfig(process.env, process.cwd());
    for (const { name, document } of upstreams) {
      for (const { method, path, lifecycle } of document.operations) {
        const notes = [
          lifecycle.deprecated ? 'deprecated' : '',
          lifecycle.stability === 'stable' ? '' : lifecycle.stability,
        ];
        process.stdout.write(`${`${method.padEnd(7)}${path}`.padEnd(48)} ${name} ${notes.join(' ')}`.trimEnd() + '\n');
      }
    }
    for (const warning of warnings) process.stdout.write(`warning: ${warning}\n`);
    process.stdout.write(`${file}: no faults\n`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`tollgate: ${error.message}\n`);
    process.exitCode = 1;
  }
}
