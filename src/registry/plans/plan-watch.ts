import type { Logger } from 'pino';
import { StoreUnavailable } from '../../base/store-unavailable.ts';
import type { Registry } from '../registry.ts';

const CHECK_INTERVAL_MS = 5000;

export interface PlanWatch {
  /** True while the database has no plans. */
  readonly areLost: () => boolean;
  readonly stop: () => void;
}

/**
 * Notices, from the first start on, that the database has lost its plans under a running gateway, for instance because
 * it was emptied or restored from the wrong backup: keys then have no limits to hold them to.
 */
export function watchPlans(registry: Registry, logger: Logger): PlanWatch {
  let lost = false;
  const check = async () => {
    const empty = (await registry.listPlans()).length === 0;
    if (empty && !lost) {
      logger.error(
        'the database has no plans any more: keys that are known here go on for a while, others are refused. Restore a ' +
          'backup, or apply the plans again (tollgate plans apply FILE)',
      );
    } else if (!empty && lost) {
      logger.info('the database has plans again');
    }
    lost = empty;
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) logger.error({ err: error }, 'the plans could not be looked at');
    });
  }, CHECK_INTERVAL_MS).unref();
  return { areLost: () => lost, stop: () => clearInterval(timer) };
}
