import { SECOND_MS } from '../../../base/time.ts';
import type { BanPolicy } from '../../../data-plane/boundary-types.ts';
import { DEFAULT_GRACE_SECONDS } from '../../api-server/key-grace.ts';
import type { Retention } from '../../history/store/retention.ts';
import { getMaxNewKeysPerDay } from '../../registry/daily-limits.ts';
import { toBanTermsJson } from './plans.ts';
import type { Schemas } from './portal-handlers.ts';

/** The configured limits of every call and every key. Times are in milliseconds, sizes in bytes. */
export interface CallLimitConfig {
  readonly bans: BanPolicy;
  /** `history.keep`. */
  readonly historyRetention: Retention;
  /** `portal.maxKeys`. */
  readonly maxKeys: number;
  readonly rotation: { readonly quietFor: number; readonly maxGrace: number };
  readonly edge: {
    readonly maxBody: number;
    readonly maxHeader: number;
    readonly headersTimeout: number;
    readonly requestTimeout: number;
    readonly writeTimeout: number;
    readonly keepAlive: number;
    readonly maxTunnels: number;
    readonly tunnelIdle: number;
  };
  readonly upstreams: readonly {
    readonly maxBody?: number | undefined;
    /** The timeouts of an HTTP service. */
    readonly timeouts?: { readonly response: number; readonly idle: number };
  }[];
}

export function toCallLimits(config: CallLimitConfig): Schemas['CallLimits'] {
  const { bans, edge, upstreams, rotation, historyRetention, maxKeys } = config;
  const timeouts = upstreams.flatMap((upstream) => upstream.timeouts ?? []);
  return {
    bans: {
      ...toBanTermsJson(bans),
      graceSeconds: bans.graceMs / SECOND_MS,
      patienceSeconds: bans.patienceMs / SECOND_MS,
      forgiveAfterSeconds: bans.forgiveAfterMs / SECOND_MS,
    },
    connections: {
      maxHeaderBytes: edge.maxHeader,
      headersSeconds: edge.headersTimeout / SECOND_MS,
      requestSeconds: edge.requestTimeout / SECOND_MS,
      writeSeconds: edge.writeTimeout / SECOND_MS,
      keepAliveSeconds: edge.keepAlive / SECOND_MS,
      maxTunnels: edge.maxTunnels,
      tunnelIdleSeconds: edge.tunnelIdle / SECOND_MS,
    },
    services: {
      maxBodyBytes: listDistinct(upstreams.map(({ maxBody }) => maxBody ?? edge.maxBody)),
      responseSeconds: listDistinct(timeouts.map(({ response }) => response / SECOND_MS)),
      idleSeconds: listDistinct(timeouts.map(({ idle }) => idle / SECOND_MS)),
    },
    keys: {
      maxPerAccount: maxKeys,
      newPerDay: getMaxNewKeysPerDay(maxKeys),
      graceSeconds: DEFAULT_GRACE_SECONDS,
      quietSeconds: rotation.quietFor / SECOND_MS,
      maxGraceSeconds: rotation.maxGrace / SECOND_MS,
    },
    history: {
      minutesSeconds: historyRetention.minutes / SECOND_MS,
      hoursSeconds: historyRetention.hours / SECOND_MS,
      daysSeconds: historyRetention.days / SECOND_MS,
    },
  };
}

function listDistinct(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].toSorted((one, other) => one - other);
}
