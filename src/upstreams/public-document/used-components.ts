import { isObject, type JsonObject } from '../../base/json/json-object.ts';
import { objectAt } from './objects.ts';
import { componentOf, referencesOf } from './references.ts';

/** Components of a document, by kind and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Those components that paths or webhooks use, by way of others too, in their order. */
export function usedComponents(users: JsonObject, components: Components): Components {
  const used = new Set<unknown>();

  function visit(node: unknown): void {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isObject(node)) return;
    for (const reference of referencesOf(node)) use(reference);
    for (const child of Object.values(node)) visit(child);
  }

  function use(reference: string): void {
    const target = componentOf(reference);
    const found = target === null ? undefined : components[target.kind]?.[target.name];
    if (found === undefined || used.has(found)) return;
    used.add(found);
    visit(found);
    // Without a mapping, a discriminator names every schema that builds on this one.
    if (isObject(found) && isObject(found['discriminator'])) for (const each of builtOn(reference)) use(each);
  }

  function builtOn(parent: string): string[] {
    return Object.entries(objectAt(components, 'schemas')).flatMap(([name, schema]) => {
      const parts = isObject(schema) && Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [];
      const isChild = parts.some((part) => isObject(part) && part['$ref'] === parent);
      return isChild ? [`#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`] : [];
    });
  }

  visit(users);
  const kinds = Object.entries(components).map(([kind, entries]): [string, Record<string, unknown>] => [
    kind,
    Object.fromEntries(Object.entries(entries).filter(([, component]) => used.has(component))),
  ]);
  return Object.fromEntries(kinds.filter(([, entries]) => Object.keys(entries).length > 0));
}

/** Adds those of a document. */
export function addComponents(components: Record<string, Record<string, unknown>>, value: JsonObject): void {
  for (const [kind, entries] of Object.entries(objectAt(value, 'components'))) {
    Object.assign((components[kind] ??= {}), entries);
  }
}
