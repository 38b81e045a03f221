import type { Limits } from '../../admission/decide.ts';
import type { KeyStatus } from '../../registry/registry.ts';

/** Responses of the admin API; times are RFC 3339. */
export interface KeyAnswer {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly limits: Limits | null;
  readonly prefix: string;
  readonly lastFour: string;
  readonly status: KeyStatus;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly quotaId: string;
  readonly rotatedTo: string | null;
}

export interface NewKeyAnswer extends KeyAnswer {
  /** The secret. */
  readonly key: string;
}

export interface BanAnswer {
  readonly keyId: string;
  readonly status: string;
  readonly level: number;
  readonly from: string;
  readonly until: string;
  readonly actor: string;
  readonly reason: string | null;
}

export interface UsageAnswer {
  readonly keyId: string;
  readonly quotaId: string;
  readonly plan: string;
  readonly windows: readonly {
    readonly name: string;
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
    readonly resetsAt: string;
  }[];
  readonly ban: {
    readonly from: string;
    readonly until: string;
    readonly level: number;
    readonly manual: boolean;
  } | null;
}

export interface AuditAnswer {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export interface OperationAnswer {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly upstream: string;
  readonly cost: number;
  readonly lifecycle: {
    readonly deprecated: boolean;
    readonly deprecatedAt: string | null;
    readonly sunsetAt: string | null;
  };
}
