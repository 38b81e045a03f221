import { ConfigError } from '../../../base/configuration-faults.ts';
import { StartError } from '../../../base/error-types.ts';
import { Refused } from '../../api/http/refused.ts';
import type { ChangeContext } from '../../registry/audit/audit-log.ts';
import type { AdminOperations, Call } from '../operation.ts';

/** What a reload has done. Settings are named as in `Setting.name`. */
export interface Reloaded {
  /** What is in force now, and was not before. */
  readonly changed: readonly string[];
  /** What has changed, but holds from the next start on. */
  readonly restart: readonly string[];
  /** What is not wrong but could be better, and what was not done. */
  readonly warnings: readonly string[];
}

/** Puts the configuration in force as it is written now. */
export type ReloadConfiguration = (change: ChangeContext) => Promise<Reloaded>;

export function configurationOperations(reload: ReloadConfiguration): AdminOperations {
  return {
    async reloadConfiguration({ change }: Call) {
      try {
        return { status: 200, body: await reload(change) };
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        const faults = error instanceof ConfigError ? error.faults : [error.message];
        throw new Refused('configuration_invalid', { details: faults.map((message) => ({ path: '/', message })) });
      }
    },
  };
}
