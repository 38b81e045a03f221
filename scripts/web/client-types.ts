import { writeField, writeType, type Schema } from './schema-types.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Body | Reference;
  readonly responses: Readonly<Record<string, Body | Reference>>;
}
interface Reference {
  readonly $ref: string;
}
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);
const PARAMETER_LOCATIONS = ['query', 'header', 'path'];

/**
 * Writes the types of an API in the format of `openapi-fetch`. openapi-typescript cannot write them, because it needs the
 * JavaScript API of the TypeScript compiler, and TypeScript 7 does not have it.
 */
export function writeClientTypes(document: OpenApiDocument): string {
  const paths = Object.entries(document.paths).map(
    ([path, methods]) => `${JSON.stringify(path)}: { ${writePathItem(document, methods)} };`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${name}: ${writeType(schema, 'client')};`,
  );
  return `export interface paths { ${paths.join('\n')} }
export interface components { schemas: { ${schemas.join('\n')} } }`;
}

/**
 * Writes the types of an API for its server, by operationId: the input of each handler, and the responses that it may
 * return. With these types, a response without a required field does not compile, nor does an operation without a handler.
 */
export function writeServerTypes(document: OpenApiDocument): string {
  const operations = Object.values(document.paths)
    .flatMap((methods) => Object.entries(methods))
    .filter(([method]) => METHODS.has(method))
    .map(([, operation]) => `readonly ${operation.operationId}: ${writeServerOperation(document, operation)};`);
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `readonly ${name}: ${writeType(schema, 'server')};`,
  );
  return `export interface operations { ${operations.join('\n')} }
export interface components { schemas: { ${schemas.join('\n')} } }`;
}

function writeServerOperation(document: OpenApiDocument, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one));
  const [query, path] = ['query', 'path'].map((place) => {
    const fields = parameters
      .filter((one) => one.in === place)
      .map(({ name, required, schema }) => writeField(name, schema, required === true, 'server'));
    return `{ ${fields.join(' ')} }`;
  });
  const body = operation.requestBody === undefined ? null : resolve<Body>(document, operation.requestBody);
  const answers = Object.entries(operation.responses)
    .filter(([status]) => /^\d+$/.test(status))
    .map(([status, response]) => `readonly ${status}: ${writeBodyType(resolve<Body>(document, response))};`);
  return `{ readonly path: ${path}; readonly query: ${query}; readonly body: ${body === null ? 'undefined' : writeBodyType(body)}; readonly answers: { ${answers.join(' ')} } }`;
}

/** Writes the type of a JSON body. For a response of another media type, it is `undefined`. */
function writeBodyType({ content }: Body): string {
  const json = content?.['application/json'];
  return json === undefined ? 'undefined' : writeType(json.schema ?? {}, 'server');
}

function writePathItem(document: OpenApiDocument, methods: Readonly<Record<string, Operation>>): string {
  return Object.entries(methods)
    .filter(([method]) => METHODS.has(method))
    .map(([method, operation]) => `${method}: ${writeClientOperation(document, operation)};`)
    .join('\n');
}

function writeClientOperation(document: OpenApiDocument, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one));
  const places = PARAMETER_LOCATIONS.map((place) =>
    writeParameters(
      place,
      parameters.filter((one) => one.in === place),
    ),
  ).join(' ');
  const body = operation.requestBody === undefined ? undefined : resolve<Body>(document, operation.requestBody);
  const request =
    body === undefined ? '' : `requestBody${body.required === true ? '' : '?'}: { ${writeContentType(body)} };`;
  const responses = Object.entries(operation.responses).map(
    ([status, response]) =>
      `${/^\d+$/.test(status) ? status : JSON.stringify(status)}: ` +
      `{ headers: Record<string, string>; ${writeContentType(resolve<Body>(document, response))} };`,
  );
  return `{ parameters: { ${places} }; ${request} responses: { ${responses.join(' ')} } }`;
}

function writeParameters(place: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return `${place}?: never;`;
  const optional = parameters.some(({ required }) => required === true) ? '' : '?';
  const fields = parameters.map(({ name, required, schema }) => writeField(name, schema, required === true, 'client'));
  return `${place}${optional}: { ${fields.join(' ')} };`;
}

function writeContentType({ content }: Body): string {
  if (content === undefined) return 'content?: never;';
  const types = Object.entries(content).map(
    ([type, { schema }]) => `${JSON.stringify(type)}: ${writeType(schema ?? {}, 'client')};`,
  );
  return `content: { ${types.join(' ')} };`;
}

function resolve<T extends object>(document: OpenApiDocument, node: T | Reference): T {
  if (!('$ref' in node)) return node;
  const steps = node.$ref.slice(2).split('/');
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
}
