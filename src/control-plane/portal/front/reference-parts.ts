import { LRUCache } from 'lru-cache';
import { type JsonObject, formatJson } from '../../../base/json.ts';
import { createRunInOrder } from '../../../base/one-at-a-time.ts';
import { pauseIfDue } from '../../../base/pause-if-due.ts';
import { DocumentParts, MAX_FIELDS } from '../../../openapi/document-parts.ts';
import { SERVICE } from '../../../openapi/merged-path-item.ts';
import { valueAt } from '../../../openapi/pointer.ts';
import { StoredText } from '../../../http/stored-text.ts';
import type { Outline, OutlinedOperation } from './outline.ts';

/** The requested part of the document: an operation by its id, an event of a service by its type, or a schema. */
export interface WantedPart {
  readonly kind: 'operation' | 'event' | 'schema';
  readonly name: string;
}

/** Maximum size of the cached parts, including their compressed forms. Evicted parts are rebuilt on request. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
/**
 * Limits on texts in the index, in characters. The index needs only a short summary, but the texts of a document may
 * have megabytes.
 */
const MAX_SUMMARY = 300;
const MAX_TAG_DESCRIPTION = 5000;
const MAX_INTRODUCTION = 50_000;
/** Length of the searchable part of an operation's description, in characters. */
const MAX_SEARCHED_LENGTH = 600;

/**
 * Maximum number of fields in the search index. If the operations have more in total, only the top-ranked fields of each
 * operation are included.
 */
const MAX_PLACES = 1_000_000;

const FIELDS_PER_PAUSE = 256;

interface FieldPlace {
  /** Index of the operation. */
  readonly at: number;
  /** A lower rank is a better match. */
  readonly rank: number;
}

/**
 * The fields of an operation that a list shows in addition to its summary and tag. They are short texts, numbers or
 * booleans.
 */
const LISTED_FIELDS = ['operationId', 'deprecated', 'x-stability-level', 'x-tollgate-cost', SERVICE];
/** Maximum length of a listed text, the same as for an `operationId`. */
const MAX_LISTED_LENGTH = 600;

/**
 * Splits the document for consumers into parts for the pages of the reference: a list of all operations, a document for
 * each operation, and an index for the search. A part is built when it is first requested. The list and the documents of
 * operations are built one after another.
 */
export class ReferenceParts {
  readonly #outline: Outline;
  readonly #parts: DocumentParts;
  readonly #builtParts: LRUCache<string, StoredText>;
  #index: Promise<JsonObject> | undefined;
  #searchIndex: Promise<StoredText> | undefined;
  readonly #runInOrder = createRunInOrder();

  constructor(outline: Outline) {
    this.#outline = outline;
    this.#parts = new DocumentParts(outline.document);
    this.#builtParts = new LRUCache({
      maxSize: MAX_CACHED_BYTES,
      sizeCalculation: ({ maxBytes }) => maxBytes,
      ignoreFetchAbort: true,
      fetchMethod: async (key) => {
        const roots = this.#findRoots(JSON.parse(key) as WantedPart);
        if (roots === null) return undefined;
        return this.#runInOrder(async () => new StoredText(await formatJson(await this.#parts.partWith(roots))));
      },
    });
  }

  /** The document with only those fields of each operation that a list shows. */
  index(): Promise<JsonObject> {
    return (this.#index ??= this.#runInOrder(() => buildIndex(this.#outline)));
  }

  /** Builds a document with only this part and everything that it refers to; null if there is no such part. */
  async part(wanted: WantedPart): Promise<StoredText | null> {
    // Names of parts that do not exist must not evict existing parts from the cache.
    if (this.#findRoots(wanted) === null) return null;
    return (await this.#builtParts.fetch(JSON.stringify(wanted))) ?? null;
  }

  /** The beginning of each operation's description, and the names of its fields. */
  searchIndex(): Promise<StoredText> {
    return (this.#searchIndex ??= this.#buildSearchIndex());
  }

  /**
   * Builds the search index. This does not delay other parts, although it takes seconds for a large document.
   */
  async #buildSearchIndex(): Promise<StoredText> {
    return new StoredText(await formatJson(await this.#listSearchedOperations()));
  }

  #findRoots({ kind, name }: WantedPart): JsonObject | null {
    const { document, operations } = this.#outline;
    if (kind === 'operation') {
      const operation = operations.get(name);
      return operation === undefined ? null : this.#createOperationRoots(operation);
    }
    const path = kind === 'event' ? ['webhooks', name] : ['components', 'schemas', name];
    const value = valueAt(document, path);
    if (value === undefined) return null;
    return kind === 'event' ? { webhooks: { [name]: value } } : { components: { schemas: { [name]: value } } };
  }

  #createOperationRoots({ path, method, item, value }: OutlinedOperation): JsonObject {
    const { openapi, security, components } = this.#outline.document;
    const { parameters } = item;
    const requirements = [value['security'] ?? security]
      .flat()
      .flatMap((requirement) => Object.keys(Object(requirement) as object));
    const schemes = requirements.map((name) => [name, valueAt(components, ['securitySchemes', name])]);
    return {
      openapi,
      security,
      paths: { [path]: { ...(parameters === undefined ? {} : { parameters }), [method.toLowerCase()]: value } },
      components: { securitySchemes: Object.fromEntries(schemes) as JsonObject },
    };
  }

  async #listSearchedOperations(): Promise<JsonObject> {
    const ids: string[] = [];
    const descriptions: string[] = [];
    const places = new Map<string, FieldPlace[]>();
    const { operations } = this.#outline;
    const maxFieldsPerOperation = Math.ceil(MAX_PLACES / Math.max(1, operations.size));
    for (const operation of operations.values()) {
      const at = ids.length;
      for (const [rank, name] of [...(await this.#findNearestFields(operation))].slice(0, maxFieldsPerOperation)) {
        const found = places.get(name);
        if (found === undefined) places.set(name, [{ at, rank }]);
        else found.push({ at, rank });
      }
      ids.push(operation.id);
      descriptions.push(operation.description?.slice(0, MAX_SEARCHED_LENGTH) ?? '');
    }
    const fields: [string, number[]][] = [];
    for (const [name, found] of places) {
      fields.push([name, found.toSorted((one, other) => one.rank - other.rank).map(({ at }) => at)]);
      if (fields.length % FIELDS_PER_PAUSE === 0) await pauseIfDue();
    }
    return { operations: ids, descriptions, fields: Object.fromEntries(fields) };
  }

  /**
   * Finds the names of an operation's fields, by rank. Fields of the request have ranks below `MAX_FIELDS`. Fields that
   * only responses have follow from rank `MAX_FIELDS` on.
   */
  async #findNearestFields({ item, value, ...operation }: OutlinedOperation): Promise<ReadonlyMap<number, string>> {
    const { components } = this.#createOperationRoots({ item, value, ...operation });
    const { requestBody, responses, callbacks } = value;
    const parameters = [item['parameters'], value['parameters']];
    const requestFields = await this.#parts.fieldsOf({ parameters, requestBody, components });
    const responseFields = await this.#parts.fieldsOf({ responses, callbacks });
    const requestFieldNames = new Set(requestFields);
    return new Map([
      ...requestFields.map((name, at) => [at, name] as const),
      ...responseFields.flatMap((name, at) => (requestFieldNames.has(name) ? [] : [[MAX_FIELDS + at, name] as const])),
    ]);
  }
}

/**
 * Parts by document. A document that did not change when the configuration was reloaded is still the same object, so its
 * parts are used again.
 */
const partsByDocument = new WeakMap<JsonObject, ReferenceParts>();

export function findReferenceParts(outline: Outline): ReferenceParts {
  let parts = partsByDocument.get(outline.document);
  if (parts === undefined) partsByDocument.set(outline.document, (parts = new ReferenceParts(outline)));
  return parts;
}

async function buildIndex({ document, operations }: Outline): Promise<JsonObject> {
  const paths = new Map<string, Record<string, unknown>>();
  for (const { path, method, item, ...operation } of operations.values()) {
    const listed = paths.get(path) ?? {};
    // If only one service has this path, the path item names the service.
    listed[method.toLowerCase()] = { ...pick(item, [SERVICE]), ...toListedOperation(operation) };
    paths.set(path, listed);
    await pauseIfDue();
  }
  const services = document['x-tollgate-services'];
  return {
    openapi: document['openapi'],
    info: pickIntroduction(document['info'], MAX_INTRODUCTION),
    security: document['security'],
    tags: listTags(document['tags']),
    ...(Array.isArray(services) ? { 'x-tollgate-services': services.map(indexService) } : {}),
    paths: Object.fromEntries(paths),
  };
}

function toListedOperation({
  value,
  summary,
  tag,
  needsKey,
}: Pick<OutlinedOperation, 'value' | 'summary' | 'tag' | 'needsKey'>): JsonObject {
  return {
    ...Object.fromEntries(Object.entries(pick(value, LISTED_FIELDS)).filter(([, shown]) => isShort(shown))),
    ...(summary === null ? {} : { summary: summary.slice(0, MAX_SUMMARY) }),
    ...(tag === null ? {} : { tags: [tag] }),
    ...(needsKey ? {} : { security: [] }),
  };
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= MAX_LISTED_LENGTH : typeof value !== 'object';
}

function indexService(service: unknown): JsonObject {
  const { tags } = Object(service) as JsonObject;
  return { ...pickIntroduction(service, MAX_INTRODUCTION), tags: listTags(tags) };
}

function listTags(tags: unknown): readonly JsonObject[] {
  return Array.isArray(tags) ? tags.map((tag) => pickIntroduction(tag, MAX_TAG_DESCRIPTION)) : [];
}

function pickIntroduction(value: unknown, maxLength: number): JsonObject {
  const shown = pick(Object(value) as JsonObject, [
    'name',
    'title',
    'x-displayName',
    'version',
    'summary',
    'description',
  ]);
  const texts = Object.entries(shown).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(texts.map(([name, text]) => [name, (text as string).slice(0, maxLength)]));
}

function pick(value: JsonObject, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]));
}
