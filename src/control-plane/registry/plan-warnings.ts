import type { Logger } from 'pino';
import { StoreUnavailable } from '../../base/error-types.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { unmatchedSelectors } from '../../openapi/operation-selectors.ts';
import type { Registry } from './registry.ts';
import type { Plan } from '../../domain/plan.ts';

const CHECK_INTERVAL_MS = 5000;
/** Number of keys with operations of their own that one check reads. */
const MAX_KEYS = 1000;

export interface PlanWatch {
  /** True while the database has no plans. */
  readonly arePlansLost: () => boolean;
  readonly stop: () => void;
}

export interface PlanWatchDependencies {
  readonly registry: Registry;
  /** The plans that settings name. A reload may change them. */
  readonly getNamedPlans: () => readonly NamedPlan[];
  /** The operations that are served. A reload replaces the list. */
  readonly getRoutes: () => readonly { readonly operation: Pick<Operation, 'id' | 'tags'> }[];
  readonly logger: Logger;
}

/**
 * Checks the plans at the start and every few seconds after that, and logs these problems:
 *
 * - The database has lost the plans while the gateway runs, for instance because it was emptied or restored from the
 *   wrong backup. Keys then have no limits.
 * - A plan that a setting names cannot be used. This does not prevent the start, because plans may be created later.
 * - A plan or a key selects an operation that no service has anymore, because a document has changed.
 */
export function watchPlans({
  registry,
  getNamedPlans: named,
  getRoutes: routes,
  logger,
}: PlanWatchDependencies): PlanWatch {
  let isLost = false;
  let isStopped = false;
  let faults = new Set<string>();
  let lastRoutes: unknown = null;
  const check = async () => {
    const plans = await registry.listPlans();
    const isEmpty = plans.length === 0;
    if (isEmpty && !isLost) {
      logger.error('all plans are missing in the database: restore a backup, or run tollgate plans apply FILE');
    } else if (!isEmpty && isLost) {
      logger.info('the database has plans again');
    }
    isLost = isEmpty;
    const previousFaults = faults;
    faults = new Set(isEmpty ? [] : findPlanFaults(named(), plans));
    for (const fault of faults)
      if (!previousFaults.has(fault)) logger.warn({ warning: fault }, 'a setting names a plan that cannot be used');
    const servedRoutes = routes();
    if (servedRoutes === lastRoutes) return;
    const selections = [
      ...plans.map(({ id, operations }) => ({ id: `plan ${id}`, operations })),
      ...(await registry.keysWithOperations(MAX_KEYS)).map(({ id, operations }) => ({ id: `key ${id}`, operations })),
    ];
    const servedOperations = servedRoutes.map(({ operation }) => operation);
    for (const { id, operations } of selections) {
      const unmatched = unmatchedSelectors(operations ?? [], servedOperations);
      if (unmatched.length > 0) logger.warn({ subject: id, selectors: unmatched }, 'a selector matches no operation');
    }
    lastRoutes = servedRoutes;
  };
  const checkOrLog = () => {
    check().catch((error: unknown) => {
      if (!isStopped && !(error instanceof StoreUnavailable)) {
        logger.error({ err: error }, 'could not check the plans');
      }
    });
  };
  checkOrLog();
  const timer = setInterval(checkOrLog, CHECK_INTERVAL_MS).unref();
  return {
    arePlansLost: () => isLost,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** A plan that a setting names. */
export interface NamedPlan {
  /** The path of the setting, such as `portal.plan`. */
  readonly setting: string;
  readonly plan: string;
  /** The consequence, such as `nobody can sign up`. */
  readonly otherwise: string;
}

/** Describes why named plans cannot be given to an account, in one sentence per plan. */
function findPlanFaults(namedPlans: readonly NamedPlan[], plans: readonly Plan[]): string[] {
  const plansById = new Map(plans.map((plan) => [plan.id, plan]));
  return namedPlans.flatMap(({ setting, plan: id, otherwise }) => {
    const plan = plansById.get(id);
    if (plan === undefined) {
      return [
        `${setting} names the plan ${id}, which does not exist, so ${otherwise}: create it (tollgate plans apply FILE), ` +
          'or use a plan that "tollgate plans list" shows',
      ];
    }
    if (!plan.custom) return [];
    return [`${setting} names the plan ${id}, which is custom, so ${otherwise}: use a plan that has limits`];
  });
}
