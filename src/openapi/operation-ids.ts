import type { NodeChange } from './document-nodes.ts';

/**
 * Puts a prefix in front of every operation id: of operations (also in callbacks and webhooks), and where links name
 * them. Only in these places: an example may have a field `operationId` too.
 */
export function prefixOperationIds(idPrefix: string): NodeChange {
  return (node, kind) => {
    if (kind !== 'operation' && kind !== 'link') return node;
    const { operationId } = node;
    return typeof operationId === 'string' ? { ...node, operationId: idPrefix + operationId } : node;
  };
}
