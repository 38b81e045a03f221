/** How long counts are kept at each resolution, in ms. */
export interface Keep {
  readonly minutes: number;
  readonly hours: number;
  readonly days: number;
}

/** Refusals can be explained for this long. */
export const REFUSALS_KEPT_MS = 48 * 3_600_000;

/** A writer that has added nothing for this long is gone. */
export const WRITERS_KEPT_MS = 30 * 86_400_000;
