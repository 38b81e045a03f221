import { isObject, type JsonObject } from '../../../base/json.ts';
import { pauseIfDue } from '../../../base/pause-if-due.ts';
import { GATEWAY_PREFIX } from '../../../http/path-rules.ts';
import { objectAt } from '../../../openapi/components.ts';
import { METHODS } from '../../../openapi/openapi.ts';
import { pathItemAt } from '../../../openapi/path-item.ts';
import { findResponseExample, type ResponseExample } from '../../../openapi/place-example.ts';
import { TOKEN_SCHEME } from '../../../openapi/service-security.ts';
import { dereferenced } from '../../../openapi/pointer.ts';
import { extractFirstParagraph } from './plain-text.ts';

/** A service behind the gateway, as its document describes it. */
export interface Service {
  readonly name: string;
  readonly title: string;
  /** `info.summary`, or else the first paragraph of the description, as plain text. */
  readonly summary: string | null;
  /** Markdown. */
  readonly description: string | null;
  /** A URL or `mailto:`; null if the document names none. */
  readonly contact: string | null;
  readonly operations: number;
  /** In the order of the document. */
  readonly tags: readonly Tag[];
  /** Counts the service's operations that have this tag, even if it is not their first tag. */
  readonly countTagged: (tag: string) => number;
}

/** Operations of a service that belong together. */
interface Tag {
  /** The name that operations use. */
  readonly name: string;
  /** `x-displayName`. */
  readonly title: string | null;
  readonly description: string | null;
  readonly operations: number;
}

/** An operation in the document for consumers, without its parameters and responses. */
export interface OutlinedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string | null;
  readonly summary: string | null;
  /** Markdown. */
  readonly description: string | null;
  readonly needsKey: boolean;
  /** Whether an access token may be sent in place of a key. */
  readonly acceptsToken: boolean;
  /** The operation in the document, and its path item. All operations of a path item share its parameters. */
  readonly value: JsonObject;
  readonly item: JsonObject;
}

/** The facts about the API that public pages show. They are read from the documents only once. */
export interface Outline {
  readonly document: JsonObject;
  readonly services: readonly Service[];
  /** By id, in the order of the document. */
  readonly operations: ReadonlyMap<string, OutlinedOperation>;
  readonly firstCall: FirstCall;
}

/** A call that works without any input. */
interface FirstCall {
  readonly path: string;
  readonly needsKey: boolean;
  readonly acceptsToken: boolean;
  /** The document's example of the response; null if it has none. */
  readonly response: ResponseExample | null;
}

/** The parts of a service's configuration that pages show. */
export interface ServiceSource {
  readonly name: string;
  readonly document: {
    readonly value: JsonObject;
    readonly operations: readonly { readonly tags: readonly string[] }[];
  };
}

/** @param document the OpenAPI document for consumers */
export async function createOutline(document: JsonObject, sources: readonly ServiceSource[]): Promise<Outline> {
  const operations = new Map<string, OutlinedOperation>();
  for (const [path, node] of Object.entries(isObject(document['paths']) ? document['paths'] : {})) {
    const item = dereferenced(document, node);
    if (item === null) continue;
    for (const method of METHODS) {
      const value = item[method.toLowerCase()];
      if (!isObject(value)) continue;
      const operation = outlineOperation(document, { method, path, item, value });
      operations.set(operation.id, operation);
    }
    await pauseIfDue();
  }
  const services: Service[] = [];
  for (const source of sources) services.push(await outlineService(source));
  return { document, services, operations, firstCall: await findFirstCall(document, operations.values()) };
}

function outlineOperation(
  document: JsonObject,
  { method, path, item, value }: Pick<OutlinedOperation, 'method' | 'path' | 'item' | 'value'>,
): OutlinedOperation {
  const [tag] = Array.isArray(value['tags']) ? (value['tags'] as unknown[]) : [];
  return {
    id: readText(value, 'operationId') ?? `${method} ${path}`,
    method,
    path,
    tag: typeof tag === 'string' ? tag : null,
    summary: readText(value, 'summary'),
    description: readText(value, 'description'),
    needsKey: requiresKey(value['security'] ?? document['security']),
    acceptsToken: hasTokenAlternative(value['security'] ?? document['security']),
    value,
    item,
  };
}

/** Whether a call needs a key. It does not if one of the alternatives in `security` requires nothing. */
function requiresKey(security: unknown): boolean {
  const requirements = Array.isArray(security) ? (security as unknown[]) : [];
  return requirements.length > 0 && requirements.every((each) => isObject(each) && Object.keys(each).length > 0);
}

/** Whether one of the alternatives in `security` has an access token. */
function hasTokenAlternative(security: unknown): boolean {
  const requirements = Array.isArray(security) ? (security as unknown[]) : [];
  return requirements.some((each) => isObject(each) && TOKEN_SCHEME in each);
}

async function outlineService({ name, document: { value, operations } }: ServiceSource): Promise<Service> {
  const info = isObject(value['info']) ? value['info'] : {};
  const [summary, description] = [readText(info, 'summary'), readText(info, 'description')];
  const shortText = extractFirstParagraph(summary ?? description ?? '', MAX_SERVICE_SUMMARY);
  return {
    name,
    title: readText(info, 'title') ?? name,
    summary: shortText === '' ? null : shortText,
    description: description ?? summary,
    contact: readContact(info),
    operations: operations.length,
    tags: await outlineTags(value, operations),
    countTagged: createTagCounter(operations),
  };
}

/** @returns a function that returns the number of operations with a tag */
function createTagCounter(operations: ServiceSource['document']['operations']): (tag: string) => number {
  const counts = new Map<string, number>();
  for (const { tags } of operations) {
    for (const tag of new Set(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return (tag) => counts.get(tag) ?? 0;
}

/** Lists the tags of a service. As in the reference, each operation is counted only for its first tag. */
async function outlineTags({ tags }: JsonObject, operations: ServiceSource['document']['operations']): Promise<Tag[]> {
  const operationsByTag = Map.groupBy(operations, ({ tags: [first] }) => first);
  const list = (Array.isArray(tags) ? (tags as unknown[]) : []).filter(isObject);
  const tagsByName = new Map(list.map((tag) => [readText(tag, 'name'), tag]));
  const names = new Set([...tagsByName.keys(), ...operationsByTag.keys()].filter((name) => typeof name === 'string'));
  const outlinedTags: Tag[] = [];
  for (const name of names) {
    const taggedOperations = operationsByTag.get(name);
    if (taggedOperations === undefined) continue;
    const tag = tagsByName.get(name) ?? {};
    const text = extractFirstParagraph(readText(tag, 'description') ?? '', MAX_SUMMARY_LENGTH);
    const description = text === '' ? null : text;
    outlinedTags.push({
      name,
      title: readText(tag, 'x-displayName'),
      description,
      operations: taggedOperations.length,
    });
    await pauseIfDue();
  }
  return outlinedTags;
}

/** The web page in `info.contact` or, if there is none, the email address. */
function readContact(info: JsonObject): string | null {
  const contact = isObject(info['contact']) ? info['contact'] : {};
  const url = readText(contact, 'url');
  if (url !== null && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  const email = readText(contact, 'email');
  return email !== null && /^[^\s@?#/:<>"]+@[^\s@?#/:<>"]+$/.test(email) ? `mailto:${email}` : null;
}

/** The contact of the team, from the first document that has one. */
export function findContact({ services }: Outline): string | null {
  return services.find(({ contact }) => contact !== null)?.contact ?? null;
}

/** Reads a text field; null if it is missing, empty or not a text. */
export function readText(value: JsonObject, field: string): string | null {
  const text = value[field];
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

/** The name of an operation in titles and lists. */
export function nameOperation({ summary, method, path }: OutlinedOperation): string {
  return summary ?? `${method} ${path}`;
}

const MAX_SUMMARY_LENGTH = 300;
const MAX_SERVICE_SUMMARY = 500;

/** Describes the API. The text is from the configuration or, if there is only one service, from its document. */
export function describeApi(description: string | null, { services }: Outline): string | null {
  const [onlyService] = services;
  const text = description ?? (services.length === 1 ? (onlyService?.summary ?? null) : null);
  const shortText = text === null ? '' : extractFirstParagraph(text, MAX_SUMMARY_LENGTH);
  return shortText === '' ? null : shortText;
}

/** Finds a call that works without any input. If no service has one, the gateway's own endpoint is used. */
async function findFirstCall(document: JsonObject, operations: Iterable<OutlinedOperation>): Promise<FirstCall> {
  const hasRequiredParameter = createHasRequiredParameter(document);
  for (const operation of operations) {
    const { path, needsKey, acceptsToken, value } = operation;
    if (isSimple(operation) && !hasRequiredParameter(operation.item) && !hasRequiredParameter(value))
      return { path, needsKey, acceptsToken, response: findResponseExample(document, value) };
    await pauseIfDue();
  }
  const path = `${GATEWAY_PREFIX}usage`;
  const usage = objectAt(pathItemAt(document, ['paths', path]) ?? {}, 'get');
  return {
    path,
    needsKey: true,
    acceptsToken: hasTokenAlternative(document['security']),
    response: findResponseExample(document, usage),
  };
}

function isSimple({ method, path, value }: OutlinedOperation): boolean {
  const { 'x-tollgate-cost': cost = 1 } = value;
  const isOwn = path.startsWith(GATEWAY_PREFIX);
  return method === 'GET' && !path.includes('{') && !isOwn && cost === 1 && value['deprecated'] !== true;
}

/**
 * Creates a function that checks whether an operation or a path item has a required parameter. The results are kept,
 * because thousands of operations can share the same object.
 */
function createHasRequiredParameter(document: JsonObject) {
  const resultsByHolder = new Map<JsonObject, boolean>();
  return function hasRequiredParameter(holder: JsonObject): boolean {
    let isRequired = resultsByHolder.get(holder);
    if (isRequired !== undefined) return isRequired;
    const parameters = Array.isArray(holder['parameters']) ? (holder['parameters'] as unknown[]) : [];
    isRequired = parameters.some((parameter) => dereferenced(document, parameter)?.['required'] === true);
    resultsByHolder.set(holder, isRequired);
    return isRequired;
  };
}
