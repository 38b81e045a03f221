import { isObject, type JsonObject } from '../../base/json.ts';
import { objectAt } from './objects.ts';
import { componentOf, referencesOf } from './references.ts';

/** Components of documents, by kind and name: maps, because a component may be called `constructor`. */
export type Components = Map<string, Map<string, unknown>>;

/** Those components that paths or webhooks use, by way of others too, in their order. */
export function usedComponents(users: JsonObject, components: Components): Readonly<Record<string, JsonObject>> {
  const used = new Set<unknown>();

  function visit(node: unknown): void {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isObject(node)) return;
    for (const reference of referencesOf(node)) use(reference);
    for (const child of Object.values(node)) visit(child);
  }

  function use(reference: string): void {
    const target = componentOf(reference);
    const found = target === null ? undefined : components.get(target.kind)?.get(target.name);
    if (found === undefined || used.has(found)) return;
    used.add(found);
    visit(found);
    // Without a mapping, a discriminator names every schema that builds on this one.
    if (isObject(found) && isObject(found['discriminator'])) for (const each of builtOn(reference)) use(each);
  }

  function builtOn(parent: string): string[] {
    return [...(components.get('schemas') ?? [])].flatMap(([name, schema]) => {
      const parts = isObject(schema) && Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [];
      const isChild = parts.some((part) => isObject(part) && part['$ref'] === parent);
      return isChild ? [`#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`] : [];
    });
  }

  visit(users);
  const kinds = [...components].map(([kind, entries]): [string, JsonObject] => [
    kind,
    Object.fromEntries([...entries].filter(([, component]) => used.has(component))),
  ]);
  return Object.fromEntries(kinds.filter(([, entries]) => Object.keys(entries).length > 0));
}

/** Adds those of a document. */
export function addComponents(components: Components, value: JsonObject): void {
  for (const [kind, entries] of Object.entries(objectAt(value, 'components'))) {
    const added = Object.entries(isObject(entries) ? entries : {});
    components.set(kind, new Map([...(components.get(kind) ?? []), ...added]));
  }
}
