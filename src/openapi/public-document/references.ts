import { isObject, type JsonObject } from '../../base/json.ts';
import { decodeStep } from '../pointer.ts';

/** A component's reference, up to its name: `#/components/schemas/`. */
const COMPONENT = /^#\/components\/([^/]+)\/([^/]+)/;
const SCHEMAS = '#/components/schemas/';

/** The kind and name of the component that a reference points to, or into. */
export function componentOf(reference: string): { readonly kind: string; readonly name: string } | null {
  const [, kind, name] = COMPONENT.exec(reference) ?? [];
  if (kind === undefined || name === undefined) return null;
  return { kind, name: decodeStep(name) };
}

/** The references of one node: its `$ref`, and the schemas that a discriminator names. */
export function referencesOf(node: JsonObject): string[] {
  const found: string[] = typeof node['$ref'] === 'string' ? [node['$ref']] : [];
  for (const target of Object.values(mappingOf(node))) {
    // A bare name is that of a schema (OpenAPI 3.1.1, 4.8.25).
    if (typeof target === 'string') found.push(target.includes('/') ? target : SCHEMAS + target);
  }
  return found;
}

/** By value of the discriminating property. */
export function mappingOf({ discriminator }: JsonObject): JsonObject {
  const mapping = isObject(discriminator) ? discriminator['mapping'] : undefined;
  return isObject(mapping) ? mapping : {};
}
