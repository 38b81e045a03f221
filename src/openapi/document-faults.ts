import { formatPath, type Faults } from '../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { YamlFile } from '../base/yaml.ts';
import { objectAt } from './components.ts';
import { createReferenceCheck, partAt } from './pointer.ts';

/** OpenAPI 3.1.1, 4.8.7. Path items are accepted in 3.0 too, because many tools write them there. */
const COMPONENT_KINDS = [
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
];

type Path = readonly (string | number)[];

/** Adds the errors in the components of an OpenAPI document. */
export function checkComponents(yaml: YamlFile, document: JsonObject, faults: Faults): void {
  const { components } = document;
  if (components === undefined) return;
  const add = (at: Path, message: string) => faults.add(yaml.locate(at), formatPath(at), message);
  if (!isObject(components)) return add(['components'], 'must be a map: if it is empty, remove the field');
  for (const [kind, entries] of Object.entries(components)) {
    if (kind.startsWith('x-')) continue;
    const at = ['components', kind];
    if (!COMPONENT_KINDS.includes(kind))
      add(at, `is not a kind of component: use one of ${COMPONENT_KINDS.join(', ')}, or a name that begins with x-`);
    else if (!isObject(entries)) add(at, 'must be a map: if it is empty, remove the field');
    else {
      for (const [name, component] of Object.entries(entries)) {
        const isBoolean = kind === 'schemas' && typeof component === 'boolean';
        if (!isObject(component) && !isBoolean) add([...at, name], 'must be a map');
      }
    }
  }
}

const MAX_SHARED_MB = 20;

/**
 * Adds an error if many paths or webhooks refer to large path items. The gateway makes a copy for each reference, in
 * memory and in documents, so a document of 1 MB could become gigabytes.
 *
 * @returns whether the rest of the document can be read
 */
export function checkSharedItems(yaml: YamlFile, document: JsonObject, faults: Faults): boolean {
  const lengths = new Map<JsonObject, number>();
  let shared = 0;
  for (const field of ['paths', 'webhooks', 'x-webhooks']) {
    for (const [name, item] of Object.entries(objectAt(document, field))) {
      const target = isObject(item) && '$ref' in item ? partAt(document, [field, name])?.value : undefined;
      if (target === undefined) continue;
      const length = lengths.get(target) ?? JSON.stringify(target).length;
      lengths.set(target, length);
      shared += length;
    }
  }
  if (shared <= MAX_SHARED_MB * 1_000_000) return true;
  const what = `has paths and webhooks that refer to path items of more than ${MAX_SHARED_MB} MB in all, each counted as often as it is referred to: let fewer of them share a path item`;
  faults.add(yaml.locate([]), '', what);
  return false;
}

const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

/** Whether a field holds data, in which a `$ref` is not a reference. */
function isData(key: string): boolean {
  return DATA.has(key) || (key.startsWith('x-') && key !== 'x-webhooks');
}

/**
 * Adds an error for each local `$ref` of a document that cannot be followed. A `$ref` that points to nothing is not
 * reported here.
 */
export function checkReferences(yaml: YamlFile, document: JsonObject, faults: Faults): void {
  const path: (string | number)[] = [];
  const findFault = createReferenceCheck(document);

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as JsonObject;
    const fault = typeof $ref === 'string' ? findFault($ref) : null;
    if (fault !== null) faults.add(yaml.locate([...path, '$ref']), formatPath([...path, '$ref']), fault);
    for (const [key, child] of Array.isArray(node) ? node.entries() : Object.entries(node)) {
      if (isData(String(key))) continue;
      path.push(key);
      visit(child);
      path.pop();
    }
  }

  visit(document);
}
