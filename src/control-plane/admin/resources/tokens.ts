import { toDateTime } from '../../../base/time.ts';
import type { IssuerReport } from '../../../data-plane/boundary-types.ts';
import { paginate } from '../../api-server/send-response.ts';
import type { Registry } from '../../registry/registry.ts';
import type { System } from '../../system/system-info.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';

interface TokenOperationDependencies {
  readonly registry: Pick<Registry, 'listKeys'>;
  readonly reportIssuers: () => readonly IssuerReport[];
  /** `portal.plan`. */
  readonly defaultPlan: string;
  readonly system: Pick<System, 'gateway'>;
}

/** A page of one key has the total number of callers, which is all that is needed. */
const ONE_KEY = { limit: 1 };

export function createTokenOperations({
  registry,
  reportIssuers,
  defaultPlan,
  system,
}: TokenOperationDependencies): Pick<AdminOperations, 'listTokenIssuers'> {
  async function toIssuerJson({ config, keys, verifications }: IssuerReport): Promise<Schemas['TokenIssuer']> {
    const { name, issuer, audience, caller, plan = defaultPlan, register, maxCallers } = config;
    const { total: callers } = await registry.listKeys({ tokenIssuer: issuer }, ONE_KEY);
    const { since, lastHour, ...counts } = verifications;
    return {
      name,
      issuer,
      audience,
      caller,
      plan,
      register,
      maxCallers,
      callers,
      keys: toKeysJson(keys),
      verifications: {
        since: toDateTime(since),
        lastHour: { ...lastHour, since: toDateTime(lastHour.since) },
        ...counts,
      },
    };
  }

  return {
    async listTokenIssuers({ query }) {
      const reports = reportIssuers().map((report, index) => ({ report, place: String(index).padStart(6, '0') }));
      const { items, nextCursor } = paginate('tokens', reports, ({ place }) => place, query);
      const { id, host } = system.gateway;
      const issuers = await Promise.all(items.map(({ report }) => toIssuerJson(report)));
      return { status: 200, body: { gateway: { id, host }, items: issuers, nextCursor } };
    },
  };
}

function toKeysJson({ count, algorithms, fetchedAt, isUsable, failure }: IssuerReport['keys']) {
  const isKnown = fetchedAt !== null || failure !== null;
  const canVerify = isUsable && algorithms.length > 0;
  const state = !isKnown ? 'unknown' : !canVerify ? 'away' : failure === null ? 'ready' : 'degraded';
  return {
    state,
    count,
    algorithms,
    fetchedAt: toDateTime(fetchedAt),
    failure: failure === null ? null : { reason: failure.reason, since: toDateTime(failure.since) },
  } as const;
}
