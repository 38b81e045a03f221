import { GATEWAY_PREFIX } from '../base/gateway-prefix.ts';
import type { Faults } from '../base/faults.ts';
import type { ApiDocument } from '../upstreams/openapi.ts';

/** Adds a fault for what only one operation may have: its method and path, and the id that names it. */
export function refuseSharedOperations(documents: readonly ApiDocument[], faults: Faults): void {
  const byPath = new Map<string, string>();
  const byId = new Map<string, string>();
  for (const { id, method, path, source } of documents.flatMap(({ operations }) => operations)) {
    const name = `${method} ${path}`;
    const refuse = (what: string) => faults.add(source, name, what);
    if (path.startsWith(GATEWAY_PREFIX)) refuse(`is below ${GATEWAY_PREFIX}, which is the gateway's own`);
    // Two templates that differ only in the names of their parameters match the same paths.
    const template = `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;
    const samePath = claim(byPath, template, source);
    const sameId = claim(byId, id, source);
    if (samePath !== null) refuse(`is claimed twice, also at ${samePath}: give one of the upstreams a prefix`);
    // Without an operationId, the id is method and path.
    else if (sameId !== null) refuse(`has the operationId "${id}", as has the operation at ${sameId}: rename one`);
  }
}

/** @returns where it was claimed before; null if nowhere */
function claim(claimed: Map<string, string>, what: string, source: string): string | null {
  const before = claimed.get(what);
  if (before === undefined) claimed.set(what, source);
  return before ?? null;
}
