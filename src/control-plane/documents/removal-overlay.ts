import { stringify } from 'yaml';
import { DAY_MS, HOUR_MS, toDateTime } from '../../base/time.ts';
import type { Change } from '../../openapi/diff/change.ts';
import { queryFor } from '../../openapi/suggested-overlay.ts';

const SUNSET_DAYS = 90;
/** Days before the sunset on which the operation is switched off for an hour. */
const BROWNOUT_DAYS = [28, 7];
const BROWNOUT_HOUR = 10;

/**
 * Proposes an overlay that announces the removal of operations before they are removed: it deprecates them, with a
 * sunset and two brownouts.
 *
 * @param removals changes of the kind `operation_removed`
 * @returns null if there are none
 */
export function proposeOverlay(removals: readonly Change[], now: number): string | null {
  const targets = removals.flatMap(({ pointer }) => queryFor(splitPointer(pointer)) ?? []);
  if (targets.length === 0) return null;
  const today = now - (now % DAY_MS);
  const sunset = today + SUNSET_DAYS * DAY_MS;
  const brownouts = BROWNOUT_DAYS.map((days) => {
    const from = sunset - days * DAY_MS + BROWNOUT_HOUR * HOUR_MS;
    return { from: toDateTime(from), to: toDateTime(from + HOUR_MS) };
  });
  const update = {
    deprecated: true,
    'x-deprecated-at': toDateTime(today),
    'x-sunset': toDateTime(sunset),
    'x-brownouts': brownouts,
  };
  return stringify(
    {
      overlay: '1.0.0',
      info: { title: 'Announces the removal of operations', version: '1.0.0' },
      actions: targets.map((target) => ({ target, update })),
    },
    { lineWidth: 0, version: '1.2', aliasDuplicateObjects: false },
  );
}

function splitPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
