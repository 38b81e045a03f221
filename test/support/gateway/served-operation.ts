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

/** Creates an operation as the gateway lists it. */
export function servedOperation(
  id: string,
  lifecycle: Partial<Lifecycle> = {},
  tags: readonly string[] = [],
): ServedOperation {
  const known = { id, method: 'GET', path: `/${id}`, tags, public: false, cost: 1 };
  const operation = { ...known, lifecycle: { ...stable, ...lifecycle } };
  return { operation, upstream: { name: 'petstore' }, validation: null };
}
