import { toMillis } from '../../../base/time.ts';
import { findRecordedEndings } from '../../registry/ban-endings.ts';
import { toBanRecord, identifyBan } from '../../registry/ban-record.ts';
import type { Registry } from '../../registry/registry.ts';
import type { FoundRefusal } from '../store/history-store.ts';
import { type ExplanationContext, toRefusalFacts } from './explain-refusal.ts';

/** The records that explanations need. */
export type ExplanationRecords = Pick<Registry, 'listAudit' | 'keysById' | 'plansById'>;

/**
 * Reads the context of these refusals. Plan names are read only for consumers, because operators know plans by their
 * ids.
 */
export async function readContext(
  records: ExplanationRecords,
  refusals: readonly FoundRefusal[],
  { now, reader }: Pick<ExplanationContext, 'now' | 'reader'>,
): Promise<ExplanationContext> {
  const [keys, plans, banEndOf] = await Promise.all([
    records.keysById([...new Set(refusals.map(({ keyId }) => keyId))]),
    reader === 'consumer' ? records.plansById() : undefined,
    readBanEnds(records, refusals),
  ]);
  return { now, reader, keys, findBanEnd: banEndOf, ...(plans === undefined ? {} : { plans }) };
}

/** Reads from the audit log which bans were lifted or replaced. */
async function readBanEnds(
  records: ExplanationRecords,
  refusals: readonly FoundRefusal[],
): Promise<NonNullable<ExplanationContext['findBanEnd']>> {
  const quotaIds = [...new Set(refusals.filter(isAboutBan).map(({ quotaId }) => quotaId))];
  const endingsByQuota = new Map(
    await Promise.all(quotaIds.map(async (quotaId) => [quotaId, await findRecordedEndings(records, quotaId)] as const)),
  );
  return (quotaId, ban) => {
    const ending = endingsByQuota.get(quotaId)?.get(identifyBan(toBanRecord(ban)));
    if (ending === undefined || ending.endedAt === null) return null;
    const { lift, endedAt } = ending;
    if (lift !== null) return { kind: 'lifted', at: toMillis(lift.at), actor: lift.actor };
    return { kind: 'replaced', at: toMillis(endedAt), actor: null };
  };
}

/** Whether a ban refused the request or started after the request. */
function isAboutBan({ facts, later }: FoundRefusal): boolean {
  return [facts, ...later.map((each) => each.facts)].some((each) => (toRefusalFacts(each).quota?.ban ?? null) !== null);
}
