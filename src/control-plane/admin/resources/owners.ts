import { toDateTime } from '../../../base/time.ts';
import type { Registry } from '../../registry/registry.ts';
import type { AdminOperations } from './admin-handlers.ts';
import { orderOf } from './sort-order.ts';

export function ownerOperations(registry: Registry): Pick<AdminOperations, 'listOwners'> {
  return {
    async listOwners({ query: { q, sort, ...page } }) {
      const { items, nextCursor } = await registry.listOwners(q, page, orderOf(sort));
      const body = { items: items.map((one) => ({ ...one, lastUsedAt: toDateTime(one.lastUsedAt) })), nextCursor };
      return { status: 200, body };
    },
  };
}
