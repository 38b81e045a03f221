import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Faults } from '../../base/configuration-faults.ts';
import { StartError } from '../../base/error-types.ts';
import { referTo, Schemas, type Validator, withTextChecked } from '../../base/json-schemas.ts';
import { type JsonObject, isObject } from '../../base/json.ts';
import { pauseIfDue } from '../../base/pause-if-due.ts';
import { readYaml, type YamlFile } from '../../base/yaml.ts';
import { documentIn, type Operation } from '../../openapi/openapi.ts';
import { prepareRouter } from '../../openapi/operation-router.ts';

/** An operation of the document, with the compiled readers of its requests. */
export interface ApiRoute {
  readonly operation: Operation;
  readonly path: ParameterReader;
  readonly query: ParameterReader;
  readonly headers: ParameterReader;
  /** Null if the operation has no body. */
  readonly body: { readonly required: boolean; readonly validate: Validator } | null;
}

export interface ParameterReader {
  readonly names: readonly string[];
  /** Names of the parameters that are parsed as integers. */
  readonly integers: ReadonlySet<string>;
  readonly validate: Validator;
}

export interface ApiDocument {
  readonly value: JsonObject;
  readonly routes: readonly ApiRoute[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: { readonly type?: unknown; readonly default?: unknown };
}

interface OperationObject {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean };
}

/**
 * Reads the document of an API and compiles its rules for requests. This takes 100 ms or more, so it pauses now and then
 * to let other listeners handle their requests.
 *
 * @param file see `readParts`
 * @param prefix the path below which the API is served; the paths in the document do not include it
 * @param handlers by operationId
 * @throws StartError (as a rejection) if an operation has no handler, or a handler has no operation
 */
export async function loadDocument(file: string, prefix: string, handlers: object): Promise<ApiDocument> {
  const document = await getCompiledDocument(file, prefix);
  refuseMismatch(
    file,
    document.routes.map(({ operation }) => operation.id),
    Object.keys(handlers),
  );
  return document;
}

/** Compiled documents, by file. The files are part of the program, so they do not change while the program runs. */
const compiledDocuments = new Map<string, Promise<ApiDocument>>();

function getCompiledDocument(file: string, prefix: string): Promise<ApiDocument> {
  const cached = compiledDocuments.get(file);
  if (cached !== undefined) return cached;
  const document = prepareDocument(file, prefix);
  compiledDocuments.set(file, document);
  // A failure is not kept, so that the next request tries again.
  document.catch(() => compiledDocuments.delete(file));
  return document;
}

async function prepareDocument(file: string, prefix: string): Promise<ApiDocument> {
  const document = await compileDocument(file, prefix);
  await prepareRouter(document.routes);
  return document;
}

async function compileDocument(file: string, prefix: string): Promise<ApiDocument> {
  const faults = new Faults();
  const parts: (YamlFile | null)[] = [];
  for (const path of listFiles(file)) {
    parts.push(readYaml(path, faults));
    await pauseIfDue();
  }
  const { value, operations } = documentIn(joinParts(file, parts, faults), { prefix, isOwn: true }, faults, []);
  faults.throwIfAny();
  const schemas = new Schemas(value);
  schemas.prepare();
  await pauseIfDue();
  const routes: ApiRoute[] = [];
  for (const operation of operations) {
    routes.push(compileRoute(value, schemas, prefix, operation));
    await pauseIfDue();
  }
  return { value, routes };
}

function refuseMismatch(file: string, documented: readonly string[], handled: readonly string[]): void {
  const missing = documented.filter((id) => !handled.includes(id));
  const extra = handled.filter((id) => !documented.includes(id));
  if (missing.length > 0) throw new StartError(`${file}: nothing handles ${missing.join(', ')}`);
  if (extra.length > 0) throw new StartError(`${file}: does not have ${extra.join(', ')}`);
}

function compileRoute(document: JsonObject, schemas: Schemas, prefix: string, operation: Operation): ApiRoute {
  const location = ['paths', operation.path.slice(prefix.length), operation.method.toLowerCase()];
  const { parameters = [], requestBody } = findNode(document, location) as OperationObject;
  const pointers = parameters.map((parameter, index) =>
    '$ref' in parameter ? parameter.$ref.slice(2).split('/') : [...location, 'parameters', String(index)],
  );
  const body = [...location, 'requestBody', 'content', 'application/json', 'schema'];
  return {
    operation,
    path: compileParameters(document, schemas, pointers, 'path'),
    query: compileParameters(document, schemas, pointers, 'query'),
    // Only headers and bodies are checked for forbidden text. Paths and queries are not, because a search term may be
    // any text.
    headers: withHeaderTextChecked(compileParameters(document, schemas, pointers, 'header')),
    body:
      requestBody === undefined
        ? null
        : {
            required: requestBody.required === true,
            validate: withTextChecked(schemas.at(body), resolveReference(document, findNode(document, body))),
          },
  };
}

function compileParameters(
  document: JsonObject,
  schemas: Schemas,
  pointers: readonly (readonly string[])[],
  kind: 'path' | 'query' | 'header',
): ParameterReader {
  const properties: Record<string, object> = {};
  const required: string[] = [];
  const integers = new Set<string>();
  for (const pointer of pointers) {
    const parameter = findNode(document, pointer) as Parameter;
    if (parameter.in !== kind) continue;
    const { type, default: defaultValue } = parameter.schema;
    // The default is copied, because Ajv does not fill in a default behind a `$ref`.
    properties[parameter.name] = {
      ...referTo([...pointer, 'schema']),
      ...(defaultValue === undefined ? {} : { default: defaultValue }),
    };
    if (parameter.required === true) required.push(parameter.name);
    if (type === 'integer') integers.add(parameter.name);
  }
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { names: Object.keys(properties), integers, validate: schemas.compile(schema) };
}

function withHeaderTextChecked(reader: ParameterReader): ParameterReader {
  return { ...reader, validate: withTextChecked(reader.validate, {}) };
}

/** The schema itself or, if it is a `$ref`, the schema in the document that it refers to. */
function resolveReference(document: JsonObject, schema: unknown): unknown {
  const { $ref: reference } = Object(schema) as { readonly $ref?: string };
  return reference === undefined ? schema : findNode(document, reference.slice(2).split('/'));
}

function findNode(document: JsonObject, pointer: readonly string[]): unknown {
  let node: unknown = document;
  for (const step of pointer) node = (node as JsonObject)[step];
  return node;
}

/** Parts that the documents of the admin API and of the portal share. */
const SHARED_FOLDER = join(import.meta.dirname, 'openapi');

interface Entry {
  /** The location in the document, such as `components`, `schemas`, `Key`. */
  readonly at: readonly string[];
  readonly value: unknown;
}

/**
 * Reads the document of an API. It consists of the files of a folder, each with the paths and components of one
 * subject, and of the files that the APIs share.
 *
 * @param file the main file
 * @throws ConfigError if a file cannot be read, or if two files define the same thing
 */
export function readParts(file: string): JoinedDocument {
  const faults = new Faults();
  const parts = listFiles(file).map((path) => readYaml(path, faults));
  return joinParts(file, parts, faults);
}

type JoinedDocument = YamlFile & { readonly value: JsonObject };

/** @param files null for each file that could not be read: its fault is already in `faults` */
function joinParts(file: string, files: readonly (YamlFile | null)[], faults: Faults): JoinedDocument {
  const document: Record<string, unknown> = {};
  const parts = new Map<string, YamlFile>();
  for (const part of files) {
    if (part === null) continue;
    for (const { at, value } of listEntries(part.value)) {
      const name = at.join(' ');
      const otherPart = parts.get(name);
      if (otherPart !== undefined)
        faults.add(part.locate(at), name, `is also defined in ${otherPart.path}: remove one`);
      parts.set(name, part);
      setValue(document, at, value);
    }
  }
  faults.throwIfAny();
  const findPart = (at: readonly PropertyKey[]) =>
    [3, 2, 1].map((length) => parts.get(at.slice(0, length).join(' '))).find((part) => part !== undefined);
  return { path: file, value: document, locate: (at) => findPart(at)?.locate(at) ?? file };
}

function listFiles(file: string): string[] {
  const otherFiles = [dirname(file), SHARED_FOLDER].flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
  return [file, ...otherFiles.filter((other) => other !== file && other.endsWith('.yaml'))];
}

function listEntries(value: unknown): Entry[] {
  return listChildEntries([], value).flatMap((entry) => {
    if (entry.at[0] === 'paths') return listChildEntries(entry.at, entry.value);
    if (entry.at[0] !== 'components') return [entry];
    return listChildEntries(entry.at, entry.value).flatMap(({ at, value: kind }) => listChildEntries(at, kind));
  });
}

function listChildEntries(at: readonly string[], value: unknown): Entry[] {
  return Object.entries(isObject(value) ? value : {}).map(([key, entry]) => ({ at: [...at, key], value: entry }));
}

function setValue(target: Record<string, unknown>, at: readonly string[], value: unknown): void {
  const [key = '', ...rest] = at;
  if (rest.length === 0) target[key] = value;
  else setValue((target[key] ??= {}) as Record<string, unknown>, rest, value);
}
