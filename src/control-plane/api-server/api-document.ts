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
  const document = await compiledDocument(file, prefix);
  refuseMismatch(
    file,
    document.routes.map(({ operation }) => operation.id),
    Object.keys(handlers),
  );
  return document;
}

/** Compiled documents, by file. The files are part of the program, so they do not change while the program runs. */
const compiled = new Map<string, Promise<ApiDocument>>();

function compiledDocument(file: string, prefix: string): Promise<ApiDocument> {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  const document = prepareDocument(file, prefix);
  compiled.set(file, document);
  // A failure is not kept, so that the next request tries again.
  document.catch(() => compiled.delete(file));
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
  const { value, operations } = documentIn(joinParts(file, parts, faults), { prefix }, faults, []);
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
  const place = ['paths', operation.path.slice(prefix.length), operation.method.toLowerCase()];
  const { parameters = [], requestBody } = find(document, place) as OperationObject;
  const located = parameters.map((parameter, index) =>
    '$ref' in parameter ? parameter.$ref.slice(2).split('/') : [...place, 'parameters', String(index)],
  );
  const body = [...place, 'requestBody', 'content', 'application/json', 'schema'];
  return {
    operation,
    path: compileParameters(document, schemas, located, 'path'),
    query: compileParameters(document, schemas, located, 'query'),
    // Only headers and bodies are checked for forbidden text. Paths and queries are not, because a search term may be
    // any text.
    headers: withTextInHeadersChecked(compileParameters(document, schemas, located, 'header')),
    body:
      requestBody === undefined
        ? null
        : {
            required: requestBody.required === true,
            validate: withTextChecked(schemas.at(body), resolved(document, find(document, body))),
          },
  };
}

function compileParameters(
  document: JsonObject,
  schemas: Schemas,
  located: readonly (readonly string[])[],
  kind: 'path' | 'query' | 'header',
): ParameterReader {
  const properties: Record<string, object> = {};
  const required: string[] = [];
  const integers = new Set<string>();
  for (const pointer of located) {
    const parameter = find(document, pointer) as Parameter;
    if (parameter.in !== kind) continue;
    const { type, default: preset } = parameter.schema;
    // The default is copied, because Ajv does not fill in a default behind a `$ref`.
    properties[parameter.name] = {
      ...referTo([...pointer, 'schema']),
      ...(preset === undefined ? {} : { default: preset }),
    };
    if (parameter.required === true) required.push(parameter.name);
    if (type === 'integer') integers.add(parameter.name);
  }
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { names: Object.keys(properties), integers, validate: schemas.compile(schema) };
}

function withTextInHeadersChecked(reader: ParameterReader): ParameterReader {
  return { ...reader, validate: withTextChecked(reader.validate, {}) };
}

/** The schema itself or, if it is a `$ref`, the schema in the document that it refers to. */
function resolved(document: JsonObject, schema: unknown): unknown {
  const { $ref: reference } = Object(schema) as { readonly $ref?: string };
  return reference === undefined ? schema : find(document, reference.slice(2).split('/'));
}

function find(document: JsonObject, pointer: readonly string[]): unknown {
  let node: unknown = document;
  for (const step of pointer) node = (node as JsonObject)[step];
  return node;
}

/** Parts that the documents of the admin API and of the portal share. */
const SHARED = join(import.meta.dirname, 'openapi');

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
export function readParts(file: string): WholeFile {
  const faults = new Faults();
  const parts = listFiles(file).map((path) => readYaml(path, faults));
  return joinParts(file, parts, faults);
}

type WholeFile = YamlFile & { readonly value: JsonObject };

/** @param files null for each file that could not be read: its fault is already in `faults` */
function joinParts(file: string, files: readonly (YamlFile | null)[], faults: Faults): WholeFile {
  const whole: Record<string, unknown> = {};
  const parts = new Map<string, YamlFile>();
  for (const part of files) {
    if (part === null) continue;
    for (const { at, value } of listEntries(part.value)) {
      const name = at.join(' ');
      const other = parts.get(name);
      if (other !== undefined) faults.add(part.locate(at), name, `is also defined in ${other.path}: remove one`);
      parts.set(name, part);
      put(whole, at, value);
    }
  }
  faults.throwIfAny();
  const partWith = (at: readonly PropertyKey[]) =>
    [3, 2, 1].map((length) => parts.get(at.slice(0, length).join(' '))).find((part) => part !== undefined);
  return { path: file, value: whole, locate: (at) => partWith(at)?.locate(at) ?? file };
}

function listFiles(file: string): string[] {
  const others = [dirname(file), SHARED].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  return [file, ...others.filter((other) => other !== file && other.endsWith('.yaml'))];
}

function listEntries(value: unknown): Entry[] {
  return entries([], value).flatMap((entry) => {
    if (entry.at[0] === 'paths') return entries(entry.at, entry.value);
    if (entry.at[0] !== 'components') return [entry];
    return entries(entry.at, entry.value).flatMap(({ at, value: kind }) => entries(at, kind));
  });
}

function entries(at: readonly string[], value: unknown): Entry[] {
  return Object.entries(isObject(value) ? value : {}).map(([key, entry]) => ({ at: [...at, key], value: entry }));
}

function put(target: Record<string, unknown>, at: readonly string[], value: unknown): void {
  const [key = '', ...rest] = at;
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}) as Record<string, unknown>, rest, value);
}
