import type { Registry } from '../../registry/registry.ts';
import type { AdminOperations } from './admin-handlers.ts';

export function ownerOperations(registry: Registry): Pick<AdminOperations, 'listOwners'> {
  return {
    async listOwners({ query: { q, ...page } }) {
      return { status: 200, body: await registry.listOwners(q, page) };
    },
  };
}
