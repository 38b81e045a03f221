import type { ServedOperation } from '../../../src/control-plane/admin/resources/operations.ts';
import type { Lifecycle } from '../../../src/openapi/operation-lifecycle.ts';

const stable: Lifecycle = {
  deprecated: false,
  deprecatedAt: null,
  sunsetAt: null,
  brownouts: [],
  stability: 'stable',
  successor: null,
  deprecationLink: null,
};

/** An operation that a gateway serves. */
export function servedOperation(id: string, lifecycle: Partial<Lifecycle> = {}): ServedOperation {
  const operation = { id, method: 'GET', path: `/${id}`, tags: [], cost: 1, lifecycle: { ...stable, ...lifecycle } };
  return { operation, upstream: { name: 'petstore' } };
}
