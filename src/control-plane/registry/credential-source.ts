import type { CredentialSource } from '../../data-plane/boundary-types.ts';
import type { Database } from '../../storage/database.ts';
import type { Registry } from './registry.ts';
import { recordUseReport } from './use-reports.ts';

/** The part of the registry that the request path of one gateway uses. */
export function createCredentialSource(registry: Registry, database: Database, gatewayId: string): CredentialSource {
  return {
    findCredential: (hash) => registry.findCredential(hash),
    onInvalidation: (listener) => registry.onInvalidation(listener),
    heardUntil: () => database.heardUntil(),
    touchKeys: (lastUsed, networks) => registry.touchKeys(lastUsed, networks),
    reportUses: (agoMs) => recordUseReport(database, gatewayId, agoMs),
  };
}
