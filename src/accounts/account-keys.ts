import type { KeySettings } from '../registry/keys/key.ts';

/** What a consumer decides about a key; owner, plan and quota are the account's. */
export type NewAccountKey = Pick<KeySettings, 'name' | 'expiresAt' | 'metadata'>;
