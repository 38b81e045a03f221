import { GATEWAY_PREFIX } from '../http/path-rules.ts';
import type { Faults } from '../base/configuration-faults.ts';
import { gatewayEvents } from '../control-plane/events/gateway-events.ts';
import type { ApiDocument } from '../openapi/openapi.ts';
import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import { toRouterPattern } from '../openapi/path-template.ts';

/** Adds a fault for what only one operation may have: its method and path, and the id that names it. */
export function refuseSharedOperations(documents: readonly ApiDocument[], faults: Faults): void {
  const byPath = new Map<string, string>();
  const byId = new Map<string, string>();
  for (const { id, method, path, source } of documents.flatMap(({ operations }) => operations)) {
    const name = `${method} ${path}`;
    const refuse = (what: string) => faults.add(source, name, what);
    // Templates that differ in the names of their parameters, or in how a character is written, match the same paths.
    const pattern = toRouterPattern(path);
    if (pattern.startsWith(GATEWAY_PREFIX)) refuse(`is under ${GATEWAY_PREFIX}, which is reserved for the gateway`);
    const samePath = claim(byPath, `${method} ${pattern}`, source);
    const sameId = claim(byId, id, source);
    if (samePath !== null) refuse(`is defined twice (also at ${samePath}): give one of the upstreams a prefix`);
    // Without an operationId, the id is method and path.
    else if (sameId !== null) refuse(`has the operationId "${id}", which ${sameId} also uses: rename one`);
  }
}

/** Adds a fault for each type of event that another service has, or the gateway itself. */
export function refuseSharedEventTypes(documents: readonly UpstreamDocument[], faults: Faults): void {
  const byName = new Map<string, string>();
  for (const { name, place } of documents.flatMap(({ eventTypes }) => eventTypes)) {
    const before = claim(byName, name, place);
    if (Object.hasOwn(gatewayEvents, name))
      faults.add(place, name, "is the name of one of the gateway's own events: rename it");
    else if (before !== null)
      faults.add(place, name, `is already an event of another service, at ${before}: rename one`);
  }
}

/** @returns where it was claimed before; null if nowhere */
function claim(claimed: Map<string, string>, what: string, source: string): string | null {
  const before = claimed.get(what);
  if (before === undefined) claimed.set(what, source);
  return before ?? null;
}
