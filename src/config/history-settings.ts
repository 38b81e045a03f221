import { z } from 'zod';
import { span } from '../base/units.ts';

/**
 * `history`: how long history is stored at each resolution. For refusals, see
 * `src/control-plane/history/store/retention.ts`.
 */
export const historySettings = z
  .strictObject({
    keep: z
      .strictObject({ minutes: span.prefault('48h'), hours: span.prefault('90d'), days: span.prefault('730d') })
      .prefault({}),
  })
  .prefault({});
