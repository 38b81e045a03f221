import type { Registry } from '../../registry/registry.ts';
import type { AdminOperations, Call, PageQuery } from './operation.ts';

export function ownerOperations(registry: Registry): AdminOperations {
  return {
    async listOwners({ query: { q, ...page } }: Call<undefined, PageQuery & { readonly q?: string }>) {
      return { status: 200, body: await registry.listOwners(q, page) };
    },
  };
}
