import { isObject, type JsonObject } from '../../base/json/json-object.ts';
import { objectAt } from './objects.ts';
import { componentOf, referencesOf } from './references.ts';
import { withoutServers } from './refusals.ts';

/** Components of documents, by kind and name: maps, because a component may be called `constructor`. */
export type Components = Map<string, Map<string, unknown>>;

/** Those components that paths or webhooks use, by way of others too, in their order. */
export function usedComponents(users: JsonObject, components: Components): Readonly<Record<string, JsonObject>> {
  const used = new Set<unknown>();
  const builtOn = schemasByParent(components.get('schemas'));
  // Not by recursion: a chain of references may be longer than the stack.
  const nodes: unknown[] = [users];

  function use(reference: string): void {
    const target = componentOf(reference);
    const found = target === null ? undefined : components.get(target.kind)?.get(target.name);
    if (found === undefined || used.has(found)) return;
    used.add(found);
    nodes.push(found);
    // Without a mapping, a discriminator names every schema that builds on this one.
    if (isObject(found) && isObject(found['discriminator'])) nodes.push(builtOn.get(reference) ?? []);
  }

  while (nodes.length > 0) {
    const node = nodes.pop();
    if (isObject(node)) for (const reference of referencesOf(node)) use(reference);
    if (typeof node === 'object' && node !== null) for (const child of Object.values(node)) nodes.push(child);
  }
  const kinds = [...components].map(([kind, entries]): [string, JsonObject] => [
    kind,
    Object.fromEntries([...entries].filter(([, component]) => used.has(component))),
  ]);
  return Object.fromEntries(kinds.filter(([, entries]) => Object.keys(entries).length > 0));
}

/** References to schemas, by the reference to what they build on (`allOf`). */
function schemasByParent(schemas: ReadonlyMap<string, unknown> = new Map()): ReadonlyMap<string, { $ref: string }[]> {
  const byParent = new Map<string, { $ref: string }[]>();
  for (const [name, schema] of schemas) {
    const parts = isObject(schema) && Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [];
    const child = { $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
    for (const part of parts) {
      if (!isObject(part) || typeof part['$ref'] !== 'string') continue;
      const children = byParent.get(part['$ref']);
      if (children === undefined) byParent.set(part['$ref'], [child]);
      else children.push(child);
    }
  }
  return byParent;
}

/** Adds those of a document. */
export function addComponents(components: Components, value: JsonObject): void {
  for (const [kind, entries] of Object.entries(objectAt(value, 'components'))) {
    const added = Object.entries(isObject(entries) ? entries : {}).map(([name, entry]): [string, unknown] => [
      name,
      kind === 'pathItems' && isObject(entry) ? withoutServers(entry) : entry,
    ]);
    components.set(kind, new Map([...(components.get(kind) ?? []), ...added]));
  }
}
