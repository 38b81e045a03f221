import { once } from 'node:events';
import { expectThat, within } from '../finding.ts';
import { GatewayProcess } from '../subject/gateway-process.ts';
import type { Done } from './checker.ts';
import { isModuleError } from './verdicts.ts';

const START_MS = 120_000;

/**
 * Starts a gateway as a separate process. If the check accepted the configuration, the gateway must start. Otherwise,
 * it must fail with the same message.
 */
export async function startInOwnProcess(
  env: Readonly<Record<string, string>>,
  { err = '' }: Done,
  isAccepted: boolean,
): Promise<void> {
  const gateway = new GatewayProcess({ env, preload: undefined, stdout: 'pipe' });
  try {
    if (isAccepted) {
      await gateway.ports().catch((error: unknown) => {
        if (!isModuleError(gateway.output)) throw error;
      });
      return;
    }
    await within(START_MS, 'a start does not end', once(gateway.child, 'close'));
    const { output } = gateway;
    const detail = () => `check: ${err}\nstart: ${output}`;
    expectThat(gateway.child.exitCode === 1, `a start ends with ${gateway.child.exitCode}`, detail);
    expectThat(output === err, 'a start and a check report different errors', detail);
  } finally {
    await gateway.kill();
  }
}
