import { once } from 'node:events';
import { expectThat, within } from '../finding.ts';
import { GatewayProcess } from '../subject/gateway-process.ts';
import type { Done } from './checker.ts';
import { isOfModule } from './verdicts.ts';

const START_MS = 30_000;

/** A gateway in a process of its own starts with what a check accepts, and refuses the rest in the same words. */
export async function startAlone(
  env: Readonly<Record<string, string>>,
  { err = '' }: Done,
  isAccepted: boolean,
): Promise<void> {
  const gateway = new GatewayProcess({ env, preload: undefined, stdout: 'pipe' });
  try {
    if (isAccepted) {
      await gateway.ports().catch((error: unknown) => {
        if (!isOfModule(gateway.output)) throw error;
      });
      return;
    }
    await within(START_MS, 'a start does not end', once(gateway.child, 'close'));
    const { output } = gateway;
    const told = () => `check: ${err}\nstart: ${output}`;
    expectThat(gateway.child.exitCode === 1, `a start ends with ${gateway.child.exitCode}`, told);
    expectThat(output === err, 'a start says something else than a check', told);
  } finally {
    await gateway.kill();
  }
}
