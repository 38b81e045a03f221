import { toMillis } from '../../base/time.ts';
import { findEndings } from './ban-endings.ts';
import { BAN_START, readStart, findStartMessage } from './ban-record.ts';
import type { Registry } from './registry.ts';

/** Maximum number of bans in the result, and of bans that are read for each quota. */
const MAX_BANS = 10;

/**
 * The bans of these quotas that ended at or after `from`, or have not ended, as consumers see them, newest first. Only
 * the audit log is read, so this also works while the store of counters is unavailable.
 *
 * @param from ms since the Unix epoch
 */
export async function listRecentBans(
  registry: Pick<Registry, 'listAudit'>,
  quotaIds: readonly string[],
  from: number,
  now: number,
) {
  const starts = (
    await Promise.all(
      quotaIds.map(async (subject) => {
        const { items } = await registry.listAudit({ subject, action: BAN_START }, { limit: MAX_BANS });
        return items;
      }),
    )
  ).flat();
  const findEnding = await findEndings(registry, () => Promise.resolve(null), starts);
  return starts
    .map((start) => {
      const { from: startedAt, until, manual } = readStart(start);
      const { endedAt } = findEnding(start);
      const hasEnded = endedAt !== null && toMillis(endedAt) <= now;
      const fields = { quotaId: start.subject, from: startedAt, until, endedAt: hasEnded ? endedAt : null, manual };
      // The reason is for operators.
      return { ...fields, reason: null, message: findStartMessage(start) };
    })
    .filter(({ endedAt }) => endedAt === null || toMillis(endedAt) >= from)
    .toSorted((a, b) => toMillis(b.from) - toMillis(a.from))
    .slice(0, MAX_BANS);
}
