import { isObject, type JsonObject } from '../base/json.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { decodeStep } from './pointer.ts';

/** Components of documents, by kind and name: maps, because a component may be called `constructor`. */
export type Components = Map<string, Map<string, unknown>>;

const NODES_PER_PAUSE = 256;

/** Those components that paths or webhooks use, by way of others too, in their order. */
export async function usedComponents(
  users: JsonObject,
  components: Components,
): Promise<Readonly<Record<string, JsonObject>>> {
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

  const seen = new Set<unknown>();
  while (nodes.length > 0) {
    if (seen.size % NODES_PER_PAUSE === 0) await pauseIfDue();
    const node = nodes.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isObject(node)) for (const reference of referencesOf(node)) use(reference);
    for (const child of Object.values(node)) nodes.push(child);
  }
  const kinds = [...components].map(([kind, entries]): [string, JsonObject] => [
    kind,
    Object.fromEntries([...entries].filter(([, component]) => used.has(component))),
  ]);
  return Object.fromEntries(kinds.filter(([, entries]) => Object.keys(entries).length > 0));
}

/** References to schemas, by the schema that they build on (`allOf`). */
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

/** Whether the name of a component needs the prefix of its service. */
export type IsAmbiguous = (kind: string, name: string) => boolean;

/** Names of components that several of these documents have, or that look like a name with a prefix. */
export function ambiguousNames(
  documents: readonly { readonly name: string; readonly value: JsonObject }[],
  reserved: JsonObject,
): IsAmbiguous {
  const taken = new Set<string>();
  const ambiguous = new Set<string>();
  const prefixes = documents.map(({ name }) => `${name}.`);
  for (const value of [reserved, ...documents.map((each) => each.value)]) {
    for (const [kind, entries] of Object.entries(objectAt(value, 'components'))) {
      for (const name of Object.keys(isObject(entries) ? entries : {})) {
        const key = `${kind}/${name}`;
        if (taken.has(key) || prefixes.some((prefix) => name.startsWith(prefix))) ambiguous.add(key);
        taken.add(key);
      }
    }
  }
  return (kind, name) => ambiguous.has(`${kind}/${name}`);
}

/**
 * The document with the upstream's name as a prefix of its components' names, because documents may share names.
 *
 * @param isAmbiguous which of them are renamed: all by default
 */
export async function renamed(
  value: JsonObject,
  name: string,
  isAmbiguous: IsAmbiguous = () => true,
): Promise<JsonObject> {
  const prefixed = (reference: string) =>
    reference.replace(/^#\/components\/([^/]+)\/([^/]+)/, (whole, kind: string, target: string) =>
      isAmbiguous(kind, decodeStep(target)) ? `#/components/${kind}/${name}.${target}` : whole,
    );
  /** A discriminator may name a schema without the rest of its reference. */
  const prefixedTarget = (target: string) => {
    if (target.includes('/')) return prefixed(target);
    return isAmbiguous('schemas', target) ? `${name}.${target}` : target;
  };

  const copyText = (text: string, path: readonly string[]) => {
    if (path.at(-1) === '$ref') return prefixed(text);
    return path.at(-2) === 'mapping' && path.at(-3) === 'discriminator' ? prefixedTarget(text) : text;
  };
  const copyKey = (key: string, [top, kind, ...deeper]: readonly string[]) =>
    top === 'components' && kind !== undefined && deeper.length === 0 && isAmbiguous(kind, key)
      ? `${name}.${key}`
      : key;
  const root: Copy = { document: value };
  // Not by recursion: a promise for each of a million nodes would take longer than the copies.
  const places: { readonly holder: Copy; readonly key: string; readonly path: readonly string[] }[] = [
    { holder: root, key: 'document', path: [] },
  ];
  let nodes = 0;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (++nodes % NODES_PER_PAUSE === 0) await pauseIfDue();
    const { holder, key, path } = place;
    const node = holder[key] as object;
    const isList = Array.isArray(node);
    const copy = (isList ? [] : {}) as Copy;
    holder[key] = copy;
    for (const [name, child] of Object.entries(node) as [string, unknown][]) {
      const [at, inner] = isList ? [name, path] : [copyKey(name, path), [...path, name]];
      copy[at] = typeof child === 'string' ? copyText(child, inner) : child;
      if (typeof child === 'object' && child !== null) places.push({ holder: copy, key: at, path: inner });
    }
  }
  return root['document'] as JsonObject;
}

/** An object, or a list. Its objects and lists are the original ones until they are copied in their turn. */
type Copy = Record<string, unknown>;

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
    // A bare name is the name of a schema (OpenAPI 3.1.1, 4.8.25).
    if (typeof target === 'string') found.push(target.includes('/') ? target : SCHEMAS + target);
  }
  return found;
}

/** By value of the discriminating property. */
function mappingOf({ discriminator }: JsonObject): JsonObject {
  const mapping = isObject(discriminator) ? discriminator['mapping'] : undefined;
  return isObject(mapping) ? mapping : {};
}

/** Empty if there is none. */
export function objectAt(value: unknown, key: string): JsonObject {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/**
 * A path item without `servers`, its own and its operations'. Those of a service's document are URLs of the service:
 * consumers must not call them, because they would send it their keys.
 */
export function withoutServers({ servers: _, ...item }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([key, operation]) => {
      if (!isObject(operation)) return [key, operation];
      const { servers: _ofOperation, ...rest } = operation;
      return [key, rest];
    }),
  );
}
