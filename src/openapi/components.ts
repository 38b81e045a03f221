import { escapePointerStep, isObject, type JsonObject } from '../base/json.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { decodeStep } from './pointer.ts';

/** Components of documents, by kind and name. These are maps because a component may be called `constructor`. */
export type Components = Map<string, Map<string, unknown>>;

const NODES_PER_PAUSE = 256;

/** Finds the components that paths or webhooks use, directly or through other components, in document order. */
export async function usedComponents(
  users: JsonObject,
  components: Components,
): Promise<Readonly<Record<string, JsonObject>>> {
  const used = new Set<string>();
  const builtOn = schemasByParent(components.get('schemas'));
  // This does not recurse, because a chain of references may be longer than the stack.
  const nodes: unknown[] = [users];

  function use(reference: string): void {
    const target = parseComponentReference(reference);
    if (target === null) return;
    const key = `${target.kind}/${target.name}`;
    const found = components.get(target.kind)?.get(target.name);
    if (found === undefined || used.has(key)) return;
    // Used components are tracked by name, because several services may have the same object as a component.
    used.add(key);
    nodes.push(found);
    // Without a mapping, a discriminator refers to every schema that builds on its own schema.
    if (isObject(found) && isObject(found['discriminator'])) nodes.push(builtOn.get(reference) ?? []);
  }

  const seen = new Set<unknown>();
  while (nodes.length > 0) {
    if (seen.size % NODES_PER_PAUSE === 0) await pauseIfDue();
    const node = nodes.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isObject(node)) for (const reference of listReferences(node)) use(reference);
    for (const child of Object.values(node)) nodes.push(child);
  }
  const kinds = [...components].map(([kind, entries]): [string, JsonObject] => [
    kind,
    Object.fromEntries([...entries].filter(([name]) => used.has(`${kind}/${name}`))),
  ]);
  return Object.fromEntries(kinds.filter(([, entries]) => Object.keys(entries).length > 0));
}

/** References to the schemas that build on another schema (`allOf`), by the reference to that other schema. */
function schemasByParent(schemas: ReadonlyMap<string, unknown> = new Map()): ReadonlyMap<string, { $ref: string }[]> {
  const byParent = new Map<string, { $ref: string }[]>();
  for (const [name, schema] of schemas) {
    const parts = isObject(schema) && Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [];
    const child = { $ref: `#/components/schemas/${escapePointerStep(name)}` };
    for (const part of parts) {
      if (!isObject(part) || typeof part['$ref'] !== 'string') continue;
      const children = byParent.get(part['$ref']);
      if (children === undefined) byParent.set(part['$ref'], [child]);
      else children.push(child);
    }
  }
  return byParent;
}

/** Adds the components of a document. */
export function addComponents(components: Components, value: JsonObject): void {
  for (const [kind, entries] of Object.entries(objectAt(value, 'components'))) {
    const added = Object.entries(isObject(entries) ? entries : {}).map(([name, entry]): [string, unknown] => [
      name,
      kind === 'pathItems' && isObject(entry) ? withoutServers(entry) : entry,
    ]);
    components.set(kind, new Map([...(components.get(kind) ?? []), ...added]));
  }
}

/** Chooses names for the components of several documents that are merged into one. */
export class ComponentNames {
  readonly #taken = new Set<string>();
  readonly #ambiguous = new Set<string>();

  /** @param reserved a document whose components keep their names */
  constructor(documents: readonly { readonly name: string; readonly value: JsonObject }[], reserved: JsonObject) {
    const prefixes = documents.map(({ name }) => `${name}.`);
    for (const value of [reserved, ...documents.map((each) => each.value)]) {
      for (const [kind, entries] of Object.entries(objectAt(value, 'components'))) {
        for (const name of Object.keys(isObject(entries) ? entries : {})) {
          const key = `${kind}/${name}`;
          if (this.#taken.has(key) || prefixes.some((prefix) => name.startsWith(prefix))) this.#ambiguous.add(key);
          this.#taken.add(key);
        }
      }
    }
  }

  /** Whether several of the documents have a component of this name, or the name looks like a prefixed one. */
  isAmbiguous(kind: string, name: string): boolean {
    return this.#ambiguous.has(`${kind}/${name}`);
  }

  /** @returns the name, with a number appended if it is taken */
  takeFree(kind: string, name: string): string {
    let free = name;
    for (let count = 2; this.#taken.has(`${kind}/${free}`); count++) free = `${name}_${count}`;
    this.#taken.add(`${kind}/${free}`);
    return free;
  }
}

/** The start of a reference to a component or into one: `#/components/KIND/NAME`. */
const COMPONENT = /^#\/components\/([^/]+)\/([^/]+)/;
const SCHEMAS = '#/components/schemas/';

/** Parses the kind and name of the component that a reference points to, or into. */
export function parseComponentReference(reference: string): { readonly kind: string; readonly name: string } | null {
  const [, kind, name] = COMPONENT.exec(reference) ?? [];
  if (kind === undefined || name === undefined) return null;
  return { kind, name: decodeStep(name) };
}

/** Lists the references of one node: its `$ref`, and the schemas that a discriminator names. */
export function listReferences(node: JsonObject): string[] {
  const found: string[] = typeof node['$ref'] === 'string' ? [node['$ref']] : [];
  for (const target of Object.values(readMapping(node))) {
    // A bare name is the name of a schema (OpenAPI 3.1.1, 4.8.25).
    if (typeof target === 'string') found.push(target.includes('/') ? target : SCHEMAS + target);
  }
  return found;
}

/** The schemas that a discriminator names, by the value of its property. */
function readMapping({ discriminator }: JsonObject): JsonObject {
  const mapping = isObject(discriminator) ? discriminator['mapping'] : undefined;
  return isObject(mapping) ? mapping : {};
}

/** Returns the object in a field, or an empty object if there is none. */
export function objectAt(value: unknown, key: string): JsonObject {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/**
 * Removes the `servers` of a path item and of its operations. In a service's document, these are URLs of the service
 * itself. Consumers must not call them, because they would send their keys to the service.
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
