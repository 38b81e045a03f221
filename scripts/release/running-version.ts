import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { ReleaseFault } from './release-fault.ts';

/** A gateway that is started in the sample configuration must listen within this time. */
const START_MS = 120_000;
const LISTENING = /"adminUrl":"([^"]+)"/;
const ADMIN_TOKEN = 'release-check-'.padEnd(40, '0');

/** Environment for a gateway that is only asked for its version. It listens on free ports. */
export const PROBED_GATEWAY: Readonly<Record<string, string>> = {
  TOLLGATE_HOST: '127.0.0.1',
  TOLLGATE_ADMIN_HOST: '127.0.0.1',
  TOLLGATE_PORTAL_HOST: '127.0.0.1',
  TOLLGATE_PORT: '0',
  TOLLGATE_ADMIN_PORT: '0',
  TOLLGATE_PORTAL_PORT: '0',
  TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
};

/**
 * Starts a gateway, and asks its admin API for the version. The console shows the same value.
 *
 * @param command starts the gateway with the environment `PROBED_GATEWAY`, and must stop it on SIGTERM
 * @throws ReleaseFault if the gateway does not start
 */
export async function readRunningVersion(command: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: START_MS });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  try {
    let found: RegExpExecArray | null = null;
    while (found === null && child.exitCode === null && child.signalCode === null) {
      await Promise.race([once(child.stdout, 'data'), ended]);
      found = LISTENING.exec(output);
    }
    if (found === null) {
      const lines = output.trim().split('\n').slice(-3).join('\n');
      throw new ReleaseFault(
        `${command.join(' ')} did not start:\n${lines}`,
        'mend what it reports, and run it by hand',
      );
    }
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const response = await fetch(`${found[1]}/v1/system`, { headers, signal: AbortSignal.timeout(START_MS) });
    return ((await response.json()) as { version: string }).version;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
