import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../support/gateway/gateway.ts';
import { inheritedEnvironment, killAtExit } from '../../support/gateway/process.ts';
import { Finding, within } from '../finding.ts';
import type { Done, Task } from './checker.ts';

const REACTION_MS = 60_000;

/** The process that checks configurations. It is replaced if it ends or does not respond. */
export class CheckerProcess {
  #child: ChildProcess | null = null;
  #tasks = 0;

  /**
   * Lets the process do a task.
   *
   * @throws Finding if the process ends, does not respond, or has modified global objects
   */
  async do(task: Task): Promise<Done> {
    const child = (this.#child ??= this.#start());
    const id = ++this.#tasks;
    const done = new Promise<Done>((resolve, reject) => {
      const take = (message: Done) => {
        if (message.id === id) settle(() => resolve(message));
      };
      const gone = () => settle(() => reject(new Finding(`the process ended: ${task.do}`)));
      const settle = (then: () => void) => {
        child.off('message', take).off('exit', gone);
        then();
      };
      child.on('message', take).once('exit', gone);
      child.send({ id, ...task }, (error) => error !== null && gone());
    });
    try {
      const result = await within(REACTION_MS, `the process does not respond: ${task.do}`, done);
      if (result.polluted === null) return result;
      throw new Finding(`${task.do} modifies a global object`, result.polluted);
    } catch (error) {
      // Stop the process, so that the next task starts in a clean one.
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, 'exit');
    child.kill('SIGKILL');
    await end;
  }

  #start(): ChildProcess {
    const child = fork(join(root, 'test/fuzz/document/checker.ts'), [], {
      cwd: root,
      env: inheritedEnvironment(),
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    killAtExit(child);
    child.on('error', () => undefined);
    return child;
  }
}
