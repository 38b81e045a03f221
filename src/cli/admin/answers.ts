import type { entryJson } from '../../admin/resources/audit.ts';
import type { banJson } from '../../admin/resources/ban-list.ts';
import type { keyJson } from '../../admin/resources/key-json.ts';
import type { usageJson } from '../../admin/resources/usage.ts';

/** Responses of the admin API: as it makes them. */
export type KeyAnswer = ReturnType<typeof keyJson>;

export interface NewKeyAnswer extends KeyAnswer {
  /** The secret. */
  readonly key: string;
}

export type BanAnswer = ReturnType<typeof banJson>;
export type UsageAnswer = ReturnType<typeof usageJson>;
export type AuditAnswer = ReturnType<typeof entryJson>;
