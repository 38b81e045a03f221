import { createRequire } from 'node:module';
import type * as Upgrader from '@scalar/openapi-upgrader/2.0-to-3.0';
import { formatPath, type Faults } from '../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { runWithin, TookTooLong } from '../base/run-within.ts';
import type { YamlFile } from '../base/yaml.ts';
import { objectAt } from './components.ts';
import { checkReferences } from './document-faults.ts';
import { OPERATION_KEYS } from './openapi.ts';
import { listAt } from './path-item.ts';
import { dereferenced, parseSteps, valueAt } from './pointer.ts';

const require = createRequire(import.meta.url);

type Path = readonly PropertyKey[];
type AddFault = (at: Path, what: string) => void;

/** Time limit of a conversion. A document of 4 MB takes half a second, but some of the library's work is quadratic. */
const CONVERSION_TIMEOUT_MS = 5000;

export function isSwagger2({ openapi, swagger }: JsonObject): boolean {
  // YAML reads 2.0 without quotes as the number 2.
  return openapi === undefined && (swagger === 2 || swagger === '2.0');
}

/**
 * Converts a document of Swagger 2.0 to OpenAPI 3.0.
 *
 * @returns the converted document, which locates each value where it was written in the original; null after an error
 */
export function convertSwagger(yaml: YamlFile, faults: Faults): YamlFile | null {
  const before = faults.count;
  const source = yaml.value as JsonObject;
  const add: AddFault = (at, what) => faults.add(yaml.locate(at), formatPath(at), what);
  checkReferences(yaml, source, faults);
  new ShapeCheck(source, add).check();
  if (faults.count > before) return null;
  const value = convert(source, add);
  if (value !== null) checkMovedReferences(source, value, add);
  return value === null || faults.count > before
    ? null
    : { path: yaml.path, value, locate: (at) => yaml.locate(sourcePath(source, at)) };
}

/** @returns null after an error */
function convert(source: JsonObject, add: AddFault): JsonObject | null {
  const { upgradeFromTwoToThree } = require('@scalar/openapi-upgrader/2.0-to-3.0') as typeof Upgrader;
  try {
    return runWithin(CONVERSION_TIMEOUT_MS, () => {
      // An alias of YAML repeats the same object, and the library changes objects in place. The copy has no repeated
      // objects.
      const copy = JSON.parse(JSON.stringify(source)) as JsonObject;
      const items = Object.entries(objectAt(copy, 'paths')).filter(([, item]) => isObject(item));
      const convertible = items.map(([path, item]) => [path, convertibleItem(copy, item as JsonObject)]);
      const paths: unknown = copy['paths'] && Object.assign(copy['paths'], Object.fromEntries(convertible));
      const value: JsonObject = upgradeFromTwoToThree({ ...copy, swagger: '2.0', paths });
      const converted = objectAt(value, 'paths');
      for (const [path, item] of items) Object.assign(objectAt(converted, path), otherMembers(item as JsonObject));
      return value;
    });
  } catch (error) {
    const why = error instanceof TookTooLong ? `it takes longer than ${CONVERSION_TIMEOUT_MS / 1000} s` : String(error);
    add([], `cannot be converted to OpenAPI 3.0 (${why}): check whether it is valid Swagger 2.0`);
    return null;
  }
}

/**
 * A path item as the library expects it. The library converts everything in a path item as an operation, needs
 * `parameters` to come first, and mistakes a reference to a body for a reference to a parameter.
 */
function convertibleItem(document: JsonObject, item: JsonObject): JsonObject {
  const operations = Object.entries(item).flatMap(([key, value]) =>
    isOperation(key, value) ? [[key, withBodies(document, withoutSchemes(value))] as const] : [],
  );
  const { parameters } = withBodies(document, item);
  return { ...(parameters === undefined ? {} : { parameters }), ...Object.fromEntries(operations) };
}

function isOperation(key: string, value: unknown): value is JsonObject {
  return OPERATION_KEYS.has(key) && isObject(value);
}

function otherMembers(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).filter(([key, value]) => key !== 'parameters' && !isOperation(key, value)),
  );
}

/** Removes a field that the library leaves in operations although OpenAPI 3 does not have it. */
function withoutSchemes({ schemes: _, ...operation }: JsonObject): JsonObject {
  return operation;
}

function withBodies(document: JsonObject, holder: JsonObject): JsonObject {
  if (!Array.isArray(holder['parameters'])) return holder;
  const parameters = listAt(holder, 'parameters').map((parameter) => {
    const found = dereferenced(document, parameter);
    return isInBody(found) ? structuredClone(found) : parameter;
  });
  return { ...holder, parameters };
}

function isInBody(parameter: JsonObject | null): boolean {
  return parameter?.['in'] === 'body' || parameter?.['in'] === 'formData';
}

const MAX_MEDIA_TYPES = 50;
const MAX_COPIED_MB = 20;
/** Bytes that a copy takes in addition to its schema. */
const COPY_BYTES = 100;
const PLACES: readonly unknown[] = ['query', 'header', 'path', 'formData', 'body'];
const MAPS = ['definitions', 'parameters', 'responses', 'securityDefinitions'];

/** Finds parts because of which the library would fail, or its result would be too large. */
class ShapeCheck {
  readonly #document: JsonObject;
  readonly #add: AddFault;
  readonly #sizes = new Map<unknown, number>();
  /** Size of all copies. Each media type of a body and of a response has its own copy of the schema. */
  #copiedBytes = 0;

  constructor(document: JsonObject, add: AddFault) {
    this.#document = document;
    this.#add = add;
  }

  check(): void {
    const document = this.#document;
    for (const field of MAPS) {
      const { [field]: entries = {} } = document;
      if (!isObject(entries)) this.#add([field], 'must be a map: if it is empty, remove the field');
      else for (const [name, entry] of Object.entries(entries)) this.#checkMap(entry, [field, name]);
    }
    const consumesCount = this.#countMediaTypes(document, [], 'consumes', 1);
    const produces = this.#countMediaTypes(document, [], 'produces', 1);
    for (const [name, parameter] of Object.entries(objectAt(document, 'parameters'))) {
      this.#checkParameter(parameter, ['parameters', name], consumesCount);
    }
    this.#checkResponses(document, [], produces);
    for (const [path, item] of Object.entries(objectAt(document, 'paths'))) {
      if (!isObject(item)) continue;
      const operations = Object.entries(item).filter(([key, value]) => isOperation(key, value));
      this.#checkParameters(item, ['paths', path], consumesCount * operations.length);
      for (const [method, value] of operations) {
        const [at, operation] = [['paths', path, method], value as JsonObject];
        this.#checkParameters(operation, at, this.#countMediaTypes(operation, at, 'consumes', consumesCount));
        this.#checkResponses(operation, at, this.#countMediaTypes(operation, at, 'produces', produces));
      }
    }
    if (this.#copiedBytes <= MAX_COPIED_MB * 1_000_000) return;
    const what = `has more than ${MAX_COPIED_MB} MB of schemas, each counted once for each media type of the body or response: list fewer media types, or move the schemas to definitions`;
    this.#add([], what);
  }

  #checkMap(value: unknown, at: Path): value is JsonObject {
    if (isObject(value)) return true;
    this.#add(at, 'must be a map');
    return false;
  }

  #countMediaTypes(holder: JsonObject, at: Path, field: 'consumes' | 'produces', inherited: number): number {
    const { [field]: types } = holder;
    if (types === undefined) return inherited;
    if (!Array.isArray(types) || !types.every((type) => typeof type === 'string')) {
      this.#add([...at, field], 'must be a list of media types');
      return 0;
    }
    if (types.length > MAX_MEDIA_TYPES) {
      this.#add([...at, field], `lists more than ${MAX_MEDIA_TYPES} media types: remove some`);
    }
    return types.length;
  }

  #checkParameters(holder: JsonObject, at: Path, copies: number): void {
    const { parameters = [] } = holder;
    if (!Array.isArray(parameters)) return this.#add([...at, 'parameters'], 'must be a list');
    for (const [index, parameter] of (parameters as unknown[]).entries()) {
      this.#checkParameter(parameter, [...at, 'parameters', index], copies);
    }
  }

  #checkParameter(parameter: unknown, at: Path, copies: number): void {
    if (!this.#checkMap(parameter, at)) return;
    const found = dereferenced(this.#document, parameter);
    if (found === null) return;
    // One copy more, because the library also works on a copy.
    if (isInBody(found)) this.#copy(found, copies + 1);
    if (found !== parameter) return;
    if (!PLACES.includes(found['in'])) this.#add([...at, 'in'], `must be one of ${PLACES.join(', ')}`);
    if (typeof found['name'] !== 'string') this.#add([...at, 'name'], 'must be text');
  }

  #checkResponses(holder: JsonObject, at: Path, copies: number): void {
    for (const [status, response] of Object.entries(objectAt(holder, 'responses'))) {
      if (status.startsWith('x-') && !isObject(response)) continue;
      if (this.#checkMap(response, [...at, 'responses', status])) this.#copy(response['schema'], copies);
    }
  }

  #copy(value: unknown, copies: number): void {
    if (value === undefined) return;
    const size = this.#sizes.get(value) ?? JSON.stringify(value).length + COPY_BYTES;
    this.#sizes.set(value, size);
    this.#copiedBytes += size * copies;
  }
}

/**
 * Adds an error for each reference to a place in `paths` that the conversion moves, because the library does not update
 * such references.
 */
function checkMovedReferences(source: JsonObject, converted: JsonObject, add: AddFault): void {
  const at: PropertyKey[] = [];
  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as JsonObject;
    if (typeof $ref === 'string' && $ref.startsWith('#/paths/')) {
      const steps = parseSteps($ref);
      const isMoved = valueAt(source, steps) !== undefined && valueAt(converted, steps) === undefined;
      const what = `"${$ref}" cannot be followed after the conversion to OpenAPI 3.0: move what it refers to into definitions, parameters or responses`;
      if (isMoved) add([...at, '$ref'], what);
    }
    for (const [key, child] of Array.isArray(node) ? node.entries() : Object.entries(node)) {
      at.push(key);
      visit(child);
      at.pop();
    }
  }
  visit(source);
}

/** The maps of Swagger 2.0, by their names below `components`. */
const SOURCE_MAPS: Readonly<Record<string, string>> = {
  schemas: 'definitions',
  parameters: 'parameters',
  requestBodies: 'parameters',
  responses: 'responses',
  securitySchemes: 'securityDefinitions',
};

/** The place where a value of the converted document, or an ancestor of it, was written. */
function sourcePath(source: JsonObject, at: Path): Path {
  const [top, ...deeper] = at;
  if (top === 'openapi') return ['swagger'];
  if (top === 'servers') return ['basePath' in source ? 'basePath' : 'host'];
  if (top === 'components') {
    const [kind, ...rest] = deeper;
    return [SOURCE_MAPS[String(kind)] ?? 'definitions', ...withoutContent(rest)];
  }
  const [path, method, field, ...rest] = deeper;
  if (top !== 'paths') return at;
  // In Swagger 2.0, bodies are parameters too. The conversion moves them, which changes the indexes of the other
  // parameters.
  if (field === 'requestBody' || field === 'parameters') return ['paths', path ?? '', method ?? '', 'parameters'];
  return field === 'responses' ? [...at.slice(0, 4), ...withoutContent(rest)] : at;
}

/** Swagger 2.0 has one schema for all media types. `content`, the media type and `schema` are just `schema` there. */
function withoutContent([name, field, type, ...rest]: Path): Path {
  if (name === undefined || field === undefined) return name === undefined ? [] : [name];
  if (field !== 'content') return [name, field, ...(type === undefined ? [] : [type, ...rest])];
  return [name, ...rest];
}
