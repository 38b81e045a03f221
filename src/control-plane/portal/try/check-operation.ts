import { findPathFault, GATEWAY_PREFIX } from '../../../http/path-rules.ts';
import { Refused } from '../../api-server/refused.ts';
import type { Operation } from '../../../openapi/openapi.ts';
import { normalizeEscapes } from '../../../openapi/path-template.ts';
import { createRouter } from '../../../openapi/operation-router.ts';

interface ServedOperation {
  readonly operation: Pick<Operation, 'method' | 'path'>;
}

/** Refuses a call unless the reference has an operation for it. */
type CheckOperation = (method: string, target: string) => void;

/**
 * @param served the operations of the services
 * @param publicDocument the document with the paths of the gateway itself; only GET is accepted for these
 * @throws Refused `invalid_path`, `route_not_found`
 */
export function createCheckOperation(served: readonly ServedOperation[], publicDocument: object): CheckOperation {
  const { paths } = publicDocument as { readonly paths: object };
  const gatewayPaths = Object.keys(paths).filter((path) => path.startsWith(GATEWAY_PREFIX));
  const matchServed = createRouter(served);
  const matchOwn = createRouter(gatewayPaths.map((path) => ({ operation: { method: 'GET', path } })));

  return function checkOperation(method, target) {
    const path = target.split('?', 1)[0] ?? '';
    const fault = findPathFault(path);
    if (fault !== null) throw new Refused('invalid_path', { message: `The path ${fault}.` });
    const normalized = normalizeEscapes(path);
    const isKnown = [matchServed, matchOwn].some((match) => match(method, normalized).kind === 'operation');
    if (!isKnown) throw new Refused('route_not_found');
  };
}
