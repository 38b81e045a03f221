import type { PageRequest } from '../../storage/paging.ts';
import type { Clock } from '../../base/time.ts';
import { listRecentBans } from '../registry/recent-bans.ts';
import type { Registry } from '../registry/registry.ts';
import type { ExplanationContext } from './explanations/explain-refusal.ts';
import { toRefusalJson } from './report-json.ts';
import type { HistoryStore, RecentRefusalsQuery } from './store/history-store.ts';
import { REFUSALS_KEPT_MS } from './store/retention.ts';

export interface OwnRefusalsDependencies {
  readonly history: Pick<HistoryStore, 'recentRefusals'>;
  readonly registry: Pick<Registry, 'listAudit' | 'plansById'>;
  readonly clock: Clock;
}

/** The keys of a consumer: either listed by id, or all keys of a rotation chain. */
type OwnKeys = Required<Pick<RecentRefusalsQuery, 'keyIds'>> | Required<Pick<RecentRefusalsQuery, 'chainOf'>>;

/** A page of a consumer's recent refusals, newest first, and the bans of the given quotas in the same period. */
export async function readOwnRefusals(
  { history, registry, clock }: OwnRefusalsDependencies,
  keys: OwnKeys,
  quotaIds: readonly string[],
  page: PageRequest,
) {
  const now = clock();
  const from = now - REFUSALS_KEPT_MS;
  const [refusals, plans, bans] = await Promise.all([
    history.recentRefusals({ ...keys, from, ...page }),
    registry.plansById(),
    listRecentBans(registry, quotaIds, from, now),
  ]);
  const { items, nextCursor } = refusals;
  const keyNames = new Map(items.map(({ keyId, keyName }) => [keyId, { name: keyName ?? keyId }]));
  const context: ExplanationContext = { now, reader: 'consumer', plans, keys: keyNames };
  return { items: items.map((each) => toRefusalJson(each, context)), nextCursor, bans };
}
