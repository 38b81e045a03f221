import { PetStoreStartError } from './errors.ts';

/** The parts of a parsed OpenAPI document that the pet store uses. Any part may be a `$ref` until it is resolved. */
export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, PathItem>>;
  /** Webhooks by type of event. */
  readonly webhooks?: Readonly<Record<string, unknown>>;
}

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface OperationObject {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
type PathItem = { readonly parameters?: readonly Parameter[] } & { readonly [method in Method]?: OperationObject };

export interface DocumentOperation {
  operationId: string;
  /** The method in upper case. */
  method: string;
  /** The path as in the document: `/pets/{petId}`. */
  path: string;
  parameters: readonly Parameter[];
  /** Schema of the JSON body, if the operation has one. */
  body: Schema | undefined;
  responses: NonNullable<OperationObject['responses']>;
}

const METHODS: readonly Method[] = ['get', 'put', 'post', 'delete', 'patch'];
const JSON_TYPE = 'application/json';

/** Reads all operations of a document and resolves their references. */
export function readOperations(document: OpenApiDocument): DocumentOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => readOperation(document, path, item, method)),
  );
}

function readOperation(document: OpenApiDocument, path: string, item: PathItem, method: Method): DocumentOperation[] {
  if (item[method] === undefined) return [];
  const { operationId, parameters = [], requestBody, responses = {} } = resolve(document, item[method]);
  const upperCase = method.toUpperCase();
  if (operationId === undefined) throw new PetStoreStartError(`OpenAPI document: ${upperCase} ${path}: no operationId`);
  return [
    {
      operationId,
      method: upperCase,
      path,
      parameters: [...resolve(document, item.parameters ?? []), ...parameters],
      body: requestBody?.content[JSON_TYPE]?.schema,
      responses,
    },
  ];
}

/**
 * Copies `node`, with each reference replaced by its target. Fields next to a `$ref` override fields of the target.
 */
export function resolve<Part>(document: OpenApiDocument, node: Part): Part {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types describe the document with its references resolved
  return inline(document, node, []) as Part;
}

function inline(document: OpenApiDocument, node: unknown, references: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map((item) => inline(document, item, references));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref: reference, ...siblings }: { $ref?: unknown } = node;
  const copy = Object.fromEntries(
    Object.entries(siblings).map(([key, value]) => [key, inline(document, value, references)]),
  );
  if (typeof reference !== 'string') return copy;
  if (references.includes(reference)) throw new PetStoreStartError(`OpenAPI document: ${reference} refers to itself`);
  return Object.assign({}, inline(document, findNode(document, reference), [...references, reference]), copy);
}

function findNode(document: OpenApiDocument, reference: string): unknown {
  let node: unknown = document;
  for (const step of reference.replace(/^#\//, '').split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = Object.entries(node ?? {}).find(([name]) => name === key)?.[1];
  }
  if (node === undefined) throw new PetStoreStartError(`OpenAPI document: nothing at ${reference}`);
  return node;
}
