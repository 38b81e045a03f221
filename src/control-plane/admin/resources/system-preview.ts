import type { ReloadEffects, Subjects } from '../../system/reload-effects.ts';
import type { AdminOperations } from './admin-handlers.ts';
import { createReloadReport, readSubjects, type ReportReads } from './reload-report.ts';
import { refuseInvalidConfiguration } from './system.ts';

export interface ConfigPreviewReads extends ReportReads {
  /**
   * Reads the configuration, and finds the effects that a reload would have.
   *
   * @param readSubjects reads the plans and keys in the database
   * @throws StartError if the configuration cannot be used; Refused `overloaded` if another preview runs
   */
  readonly previewReload: (readSubjects: () => Promise<Subjects>) => Promise<ReloadEffects>;
}

export function createConfigPreviewOperations(
  reads: ConfigPreviewReads,
): Pick<AdminOperations, 'previewConfiguration'> {
  return {
    async previewConfiguration() {
      try {
        const effects = await reads.previewReload(() => readSubjects(reads));
        return { status: 200, body: await createReloadReport(reads, effects) };
      } catch (error) {
        throw refuseInvalidConfiguration(error);
      }
    },
  };
}
