import { isDeepStrictEqual } from 'node:util';
import type { Faults } from '../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { Schemas } from '../base/json-schemas.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { parseYaml, readText, type YamlFile } from '../base/yaml.ts';
import type { ServiceEventType } from './event-type.ts';
import { type ApiDocument, documentIn, type Prefixes } from './openapi.ts';
import { addComponents, type Components, listReferences, usedComponents } from './components.ts';
import { type Part, partAt, parseSteps, valueAt } from './pointer.ts';
import { applyOverlays, type OverlayText } from './overlay.ts';
import { convertSwagger, isSwagger2 } from './swagger.ts';
import { convertBounds } from './schema-conversion.ts';
import { readServerPaths, type ServerPath } from './server-paths.ts';

/** The document of an upstream: its operations and event types. */
export interface UpstreamDocument extends ApiDocument {
  readonly eventTypes: readonly ServiceEventType[];
  /** The paths of the service, according to its own document. */
  readonly serverPaths: readonly ServerPath[];
  /** The texts and options that the document was read from. */
  readonly source: DocumentSource;
}

/** The settings of an upstream that concern its document. */
interface DocumentOptions extends Prefixes {
  /**
   * Whether the document's webhooks are event types of this gateway. Undefined: the document decides
   * (`x-tollgate-events`).
   */
  readonly events?: boolean | undefined;
  /** The files of overlays, in the order in which they are applied. */
  readonly overlays?: readonly string[] | undefined;
  /** Whether the document is the next version of an upstream's document. Such a document declares no event types. */
  readonly isCandidate?: boolean;
}

export interface DocumentSource {
  readonly text: string;
  readonly overlays: readonly OverlayText[];
  readonly options: DocumentOptions;
  /** Possible improvements. The document is valid. */
  readonly warnings: readonly string[];
}

/** Takes the place of a document that cannot be read. The error is reported separately. */
export const NO_DOCUMENT: UpstreamDocument = {
  file: '',
  value: {},
  operations: [],
  eventTypes: [],
  serverPaths: [],
  source: { text: '', overlays: [], options: {}, warnings: [] },
};

const NAME = /^[a-z0-9_]+(?:\.[a-z0-9_]+)+$/;
const MAX_NAME = 64;
const AUDIENCE = 'x-tollgate-audience';
const AUDIENCES: readonly unknown[] = ['everyone', 'operators'] satisfies ServiceEventType['audience'][];
/**
 * Maximum length of an event's schema with everything it refers to, in characters. A larger one takes too long to
 * compile.
 */
const MAX_SCHEMA_LENGTH = 200_000;
/** The fields of a delivery. */
const DELIVERED = ['type', 'timestamp', 'data'];
const DELIVERED_BODY = `{ ${DELIVERED.join(', ')} }`;

/**
 * Like `readDocument`, but also reads the event types under `webhooks`.
 *
 * @param before documents that were read earlier without errors: an unchanged document is not parsed again
 */
export function readUpstreamDocument(
  file: string,
  options: DocumentOptions,
  faults: Faults,
  before: readonly UpstreamDocument[] = [],
): UpstreamDocument {
  const texts = readTexts(file, options, faults);
  if (texts === null) return NO_DOCUMENT;
  return findSame(before, { file, ...texts, options }) ?? parseUpstreamDocument(file, texts, options, faults);
}

/** Reads a document from its text and those of its overlays. */
export function parseUpstreamDocument(
  file: string,
  texts: Pick<DocumentSource, 'text' | 'overlays'>,
  options: DocumentOptions,
  faults: Faults,
): UpstreamDocument {
  const { text, overlays } = texts;
  const written = parseYaml(file, text, faults);
  if (written === null) return NO_DOCUMENT;
  const warnings: string[] = [];
  const patched = overlays.length === 0 ? written : applyOverlays(written, overlays, faults, warnings);
  const isConverted = patched !== null && isObject(patched.value) && isSwagger2(patched.value);
  const yaml = isConverted ? convertSwagger(patched, faults) : patched;
  if (yaml === null) return NO_DOCUMENT;
  const document = documentIn(yaml, options, faults, warnings);
  const eventTypes = declaresEvents(yaml, document.value, options, faults)
    ? readEventTypes(yaml, document.value, faults)
    : [];
  return { ...document, eventTypes, serverPaths: readServerPaths(yaml), source: { ...texts, options, warnings } };
}

/** Reads the texts of a document and of its overlays. Reports an error and returns null if one cannot be read. */
export function readTexts(
  file: string,
  { overlays = [] }: DocumentOptions,
  faults: Faults,
): Pick<DocumentSource, 'text' | 'overlays'> | null {
  const text = readText(file, faults);
  const read = overlays.flatMap((overlay) => {
    const its = readText(overlay, faults);
    return its === null ? [] : [{ file: overlay, text: its }];
  });
  return text === null || read.length < overlays.length ? null : { text, overlays: read };
}

/** Finds a document that was read earlier from the same text, with the same overlays and options. */
export function findSame(
  documents: readonly UpstreamDocument[],
  { file, text, overlays, options }: { readonly file: string } & Omit<DocumentSource, 'warnings'>,
): UpstreamDocument | undefined {
  return documents.find(
    ({ file: its, source }) =>
      its === file &&
      source.text === text &&
      isDeepStrictEqual(source.overlays, overlays) &&
      isDeepStrictEqual(source.options, options),
  );
}

/**
 * The field in which a document has its webhooks. OpenAPI 3.0 has none, so an extension with the same meaning is used.
 */
export function webhooksField({ openapi }: JsonObject): 'webhooks' | 'x-webhooks' {
  return typeof openapi === 'string' && openapi.startsWith('3.0') ? 'x-webhooks' : 'webhooks';
}

const EVENTS = 'x-tollgate-events';

/**
 * Whether the webhooks of a document are event types of this gateway. In a third party's document, they rarely are.
 */
function declaresEvents(yaml: YamlFile, document: JsonObject, { events }: DocumentOptions, faults: Faults): boolean {
  const fault = (field: string, what: string) => faults.add(yaml.locate([field]), field, what);
  for (const field of Object.keys(document)) {
    if (!field.startsWith('x-tollgate-') || field === EVENTS) continue;
    fault(
      field,
      `is unknown at the top of a document: check the spelling (known: ${EVENTS}), or move it to an operation`,
    );
  }
  const declared = document[EVENTS] ?? false;
  if (typeof declared !== 'boolean') fault(EVENTS, 'must be true or false');
  return events ?? declared === true;
}

/** Reads the event types of a document. The name of a webhook is the type, and its body is delivered. */
function readEventTypes(yaml: YamlFile, document: JsonObject, faults: Faults): ServiceEventType[] {
  const field = webhooksField(document);
  const webhooks = document[field] ?? {};
  if (!isObject(webhooks)) {
    faults.add(yaml.locate([field]), field, 'must be a map of event types');
    return [];
  }
  const names = Object.keys(webhooks);
  if (names.length === 0) return [];
  const schemas = allSchemas(yaml, field, document, faults);
  return names.flatMap((name) => readEventType(yaml, [field, name], schemas, faults) ?? []);
}

/** Null if the document as a whole cannot be used, which is reported as an error. */
function allSchemas(yaml: YamlFile, field: string, document: JsonObject, faults: Faults): Schemas | null {
  try {
    return usableSchemas(field, document);
  } catch (error) {
    faults.add(yaml.locate([]), '', `has a schema that cannot be used: ${(error as Error).message}`);
    return null;
  }
}

function usableSchemas(field: string, document: JsonObject): Schemas {
  return new Schemas(field === 'webhooks' ? document : withJsonSchemas(document), 'others');
}

function readEventType(
  yaml: YamlFile,
  [field, name]: readonly [string, string],
  schemas: Schemas | null,
  faults: Faults,
): ServiceEventType | null {
  const before = faults.count;
  const fault = (what: string) => faults.add(yaml.locate([field, name]), `${field} ${name}`, what);
  if (name.length > MAX_NAME || !NAME.test(name)) {
    fault(`must be named like pet.created: a-z, 0-9 and _, with at least one dot, at most ${MAX_NAME} characters`);
  }
  const item = partAt(yaml.value, [field, name]);
  const operation = item === null ? null : partAt(yaml.value, [...item.path, 'post']);
  if (item === null || operation === null) {
    fault('must have a post, or a $ref to one in this document');
    return null;
  }
  const audience = readAudience([item, operation], fault);
  const body = compileBody(yaml, operation, schemas, fault);
  if (body === null || faults.count > before) return null;
  const { summary = item.value['summary'] } = operation.value;
  const place = yaml.locate([field, name]);
  return { name, summary: typeof summary === 'string' ? summary : '', audience, ...body, place };
}

type Fault = (what: string) => void;

/** Reads the audience, which may be set on the webhook or on its operation. */
function readAudience(parts: readonly Part[], fault: Fault): ServiceEventType['audience'] {
  const fields = parts.flatMap(({ value }) => Object.entries(value).filter(([key]) => key.startsWith('x-tollgate-')));
  for (const [key, value] of fields) {
    if (key !== AUDIENCE) fault(`has ${key}, which is unknown: check the spelling (known: ${AUDIENCE})`);
    else if (!AUDIENCES.includes(value)) fault(`has an ${AUDIENCE} that is neither ${AUDIENCES.join(' nor ')}`);
  }
  return fields.some(([, value]) => value === 'operators') ? 'operators' : 'everyone';
}

/** Compiles the schema of an event's body. Parts of the body are often references to components. */
function compileBody(
  yaml: YamlFile,
  operation: Part,
  schemas: Schemas | null,
  fault: Fault,
): Pick<ServiceEventType, 'schemaAt' | 'validate'> | null {
  const body = partAt(yaml.value, [...operation.path, 'requestBody']);
  const path = body && [...body.path, 'content', 'application/json', 'schema'];
  const parts = path === null ? [] : schemasAt(yaml.value, path);
  if (path === null || parts.length === 0) {
    fault('must have a requestBody with a schema for application/json');
    return null;
  }
  if (!parts.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, 'data'))) {
    fault(`must describe the whole delivered body, ${DELIVERED_BODY}: the property data is missing`);
  }
  const required = parts.flatMap((part): unknown[] => (Array.isArray(part['required']) ? part['required'] : []));
  const missing = required.filter((each) => typeof each === 'string' && !DELIVERED.includes(each));
  if (missing.length > 0) fault(`requires ${missing.join(', ')}, but only ${DELIVERED_BODY} is delivered`);
  if (reaches(yaml.value, path, MAX_SCHEMA_LENGTH)) {
    fault(`has a schema of more than ${MAX_SCHEMA_LENGTH / 1000} KB, with all that it refers to: simplify it`);
    return null;
  }
  try {
    return schemas === null ? null : { schemaAt: path, validate: validatorAt(schemas, path) };
  } catch (error) {
    // Schemas are compiled recursively along their references, so a long chain of references can exhaust the stack.
    fault(
      error instanceof RangeError
        ? 'has a schema that refers to too many others, one after the other: simplify it'
        : `has a schema that cannot be used: ${(error as Error).message}`,
    );
    return null;
  }
}

/** Whether a schema and everything it refers to have more than `length` characters. */
function reaches(document: unknown, path: readonly string[], length: number): boolean {
  let left = length;
  const seen = new Set<unknown>();
  // This does not recurse, because a chain of references may be longer than the stack.
  const nodes: unknown[] = [valueAt(document, path)];
  for (let node = nodes.pop(); node !== undefined && left >= 0; node = nodes.pop()) {
    left -= typeof node === 'string' ? node.length + 3 : 5;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isObject(node)) {
      for (const reference of listReferences(node)) {
        if (reference.startsWith('#/')) nodes.push(valueAt(document, parseSteps(reference)) ?? null);
      }
      for (const key of Object.keys(node)) left -= key.length + 4;
    }
    for (const child of Object.values(node) as unknown[]) nodes.push(child ?? null);
  }
  return left < 0;
}

function validatorAt(schemas: Schemas, path: readonly string[]): ServiceEventType['validate'] {
  const validate = schemas.at(path);
  return (delivered) => validate(delivered, '');
}

/** Compiles the validators of event types again, because they are lost when a document comes from another thread. */
export async function withValidators(
  document: JsonObject,
  eventTypes: readonly Omit<ServiceEventType, 'validate'>[],
): Promise<ServiceEventType[]> {
  if (eventTypes.length === 0) return [];
  try {
    // Only the schemas that webhooks use are compiled, because compiling all schemas of a large document takes half a
    // second.
    return await compiled(await webhooksWithComponents(document), eventTypes);
  } catch {
    // The webhooks also refer to something outside of `components`.
    return compiled(document, eventTypes);
  }
}

async function webhooksWithComponents(document: JsonObject): Promise<JsonObject> {
  const field = webhooksField(document);
  const users = { [field]: document[field] };
  const components: Components = new Map();
  addComponents(components, document);
  return { openapi: document['openapi'], ...users, components: await usedComponents(users, components) };
}

async function compiled(
  document: JsonObject,
  eventTypes: readonly Omit<ServiceEventType, 'validate'>[],
): Promise<ServiceEventType[]> {
  const schemas = usableSchemas(webhooksField(document), document);
  const valid: ServiceEventType[] = [];
  for (const each of eventTypes) {
    await pauseIfDue();
    valid.push({ ...each, validate: validatorAt(schemas, each.schemaAt) });
  }
  return valid;
}

const MAX_PARTS = 100;

/** The schema at a path and the schemas that it consists of, through `$ref` and `allOf`. Empty if there is none. */
function schemasAt(document: unknown, path: readonly string[]): JsonObject[] {
  const paths = [path];
  const found: JsonObject[] = [];
  for (const at of paths) {
    const [own, target] = [valueAt(document, at), partAt(document, at)];
    if (!isObject(own) || target === null || paths.length > MAX_PARTS) continue;
    found.push(...new Set([own, target.value]));
    const all = target.value['allOf'];
    if (Array.isArray(all)) for (const index of all.keys()) paths.push([...target.path, 'allOf', String(index)]);
  }
  return found;
}

/** Converts the schemas of an OpenAPI 3.0 document to JSON Schema, as in 3.1. */
function withJsonSchemas(document: JsonObject): JsonObject {
  return converted(document) as JsonObject;
}

function converted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(converted);
  if (!isObject(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, converted(value)]));
  const { nullable, type, enum: values } = copy;
  if (nullable === true && typeof type === 'string') {
    copy['type'] = [type, 'null'];
    if (Array.isArray(values) && !values.includes(null)) copy['enum'] = [...(values as unknown[]), null];
  }
  convertBounds(copy);
  return copy;
}
