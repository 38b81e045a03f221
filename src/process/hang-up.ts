import type { Logger } from 'pino';
import { isAtTerminal } from './ending-signals.ts';

/** How a signal asks for a reload. */
type Reload = (change: { readonly actor: string; readonly reason: string; readonly at: number }) => Promise<unknown>;

/**
 * Reloads the configuration on SIGHUP, unless the process runs at a terminal. A signal that comes before the gateway
 * serves is not lost.
 *
 * @returns to be called once it serves
 */
export function reloadOnHangUp(logger: Logger): (reload: Reload) => void {
  const serving = Promise.withResolvers<Reload>();
  if (!isAtTerminal()) {
    const early = process.listeners('SIGHUP');
    process.on('SIGHUP', () => {
      logger.info({ signal: 'SIGHUP' }, 'reloading the configuration');
      // Whatever fails is in the log already.
      void serving.promise
        .then((reload) => reload({ actor: 'system', reason: 'SIGHUP', at: Date.now() }))
        .catch(() => {});
    });
    for (const listener of early) process.off('SIGHUP', listener);
  }
  return serving.resolve;
}
