import { type BodyForm, readForm } from './body-form.ts';
import { type ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';
import { type ListedOperation, listedOperation } from './listed-operation.ts';
import { readSchema } from './schema.ts';

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string | null;
  readonly schema: unknown;
  /**
   * The kind of value that the parameter holds: one or several values, the fields of an object, JSON, or text that is
   * sent unchanged.
   */
  readonly holds: 'values' | 'fields' | 'json' | 'text';
  readonly style: string;
  readonly explode: boolean;
  /**
   * True if the value may contain slashes (`x-multi-segment`). The gateway supports that only in the last segment of a
   * path.
   */
  readonly isRest: boolean;
  /** The example from the document. */
  readonly example: unknown;
}

export interface Example {
  readonly name: string;
  readonly summary: string | null;
  readonly value: unknown;
}

/** The content of a body in one media type. */
export interface Media {
  readonly type: string;
  readonly schema: unknown;
  readonly examples: readonly Example[];
  /** The way in which the user enters the content. */
  readonly form: BodyForm;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description: string | null;
  readonly media: readonly Media[];
}

export interface DocumentedResponse {
  /** A status such as "200", a range such as "4XX", or "default". */
  readonly status: string;
  readonly description: string | null;
  readonly headers: readonly { readonly name: string; readonly description: string | null; readonly schema: unknown }[];
  readonly media: readonly Media[];
}

/** A credential that the service itself requires. */
export interface Credential {
  /** The name of the security scheme. */
  readonly name: string;
  /** True if the credential is a token from OAuth or OpenID Connect. */
  readonly isFromProvider: boolean;
  /** The kind of place where the credential is sent: `header`, `query` or `cookie`. */
  readonly place: string;
  /** The name of the header, parameter or cookie, such as `token`. For `Authorization`, followed by the scheme. */
  readonly sentAs: string;
  readonly scopes: readonly string[];
  readonly description: string | null;
}

export interface Operation extends ListedOperation {
  readonly description: string | null;
  /**
   * The credentials that the service requires in addition to the gateway's key, as alternative lists. Empty if it
   * requires none.
   */
  readonly serviceCredentials: readonly (readonly Credential[])[];
  /**
   * The service's credentials for a call with an access token instead of the key. Empty if they are the same as with
   * the key.
   */
  readonly tokenAlternatives: Operation['serviceCredentials'];
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | null;
  readonly responses: readonly DocumentedResponse[];
}

/**
 * Reads an operation from the document.
 *
 * @param item the path item, whose parameters apply to all of its methods
 */
export function readOperation(document: ApiDocument, method: string, path: string, item: JsonObject): Operation {
  const raw = asObject(item[method]);
  const security = asList(raw['security'] ?? document.value['security']).map(asObject);
  return {
    ...listedOperation(document, method, path, item),
    description: asText(raw['description']),
    serviceCredentials: readCredentials(document, security, false),
    tokenAlternatives: readCredentials(document, security, true),
    parameters: readParameters(document, path, [...asList(item['parameters']), ...asList(raw['parameters'])]),
    body: raw['requestBody'] === undefined ? null : readBody(document, raw['requestBody']),
    responses: Object.entries(asObject(raw['responses'])).map(([status, each]) => readResponse(document, status, each)),
  };
}

/** The security schemes of the gateway's key, and of the access token that may replace the key. */
const GATEWAY_SCHEME = 'ApiKey';
const TOKEN_SCHEME = 'AccessToken';

function readCredentials(
  document: ApiDocument,
  security: readonly JsonObject[],
  withToken: boolean,
): Operation['serviceCredentials'] {
  const schemes = asObject(asObject(document.value['components'])['securitySchemes']);
  const alternatives = security
    .filter((each) => TOKEN_SCHEME in each === withToken)
    .map((each) =>
      Object.entries(each)
        .filter(([name]) => name !== GATEWAY_SCHEME)
        .map(([name, scopes]) => readCredential(name, asList(scopes).map(String), document.resolve(schemes[name]))),
    );
  return alternatives.every((each) => each.length === 0) ? [] : alternatives;
}

function readCredential(name: string, scopes: readonly string[], scheme: JsonObject): Credential {
  return { name, ...howSent(scheme), scopes, description: asText(scheme['description']) };
}

function howSent(scheme: JsonObject): Pick<Credential, 'isFromProvider' | 'place' | 'sentAs'> {
  const { type, in: place, name } = scheme;
  if (type === 'apiKey') {
    return { isFromProvider: false, place: asText(place) ?? 'header', sentAs: asText(name) ?? '' };
  }
  if (type !== 'http') return { isFromProvider: true, place: 'header', sentAs: 'Authorization: Bearer' };
  const how = asText(scheme['scheme']) ?? 'bearer';
  const sentAs = `Authorization: ${how[0]?.toUpperCase()}${how.slice(1).toLowerCase()}`;
  return { isFromProvider: false, place: 'header', sentAs };
}

/** The names of header parameters that OpenAPI ignores, because other parts of a document describe these headers. */
const IGNORED_HEADERS = new Set(['accept', 'authorization', 'content-type']);

/**
 * Reads the parameters. Those of the operation come last, and replace those of the path with the same name and
 * location.
 */
function readParameters(document: ApiDocument, path: string, list: readonly unknown[]): readonly Parameter[] {
  const parameters = list
    .map((each) => readParameter(document, path, document.resolve(each)))
    .filter((each) => each.in !== 'header' || !IGNORED_HEADERS.has(each.name.toLowerCase()));
  return [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()];
}

function readParameter(document: ApiDocument, path: string, raw: JsonObject): Parameter {
  const place = (['path', 'query', 'header', 'cookie'] as const).find((each) => each === raw['in']) ?? 'query';
  const style = asText(raw['style']) ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const [content] = readMedia(document, raw['content']);
  const [example] = content?.examples ?? [];
  const schema = raw['schema'] ?? content?.schema ?? {};
  const name = asText(raw['name']) ?? '';
  return {
    name,
    in: place,
    required: raw['required'] === true || place === 'path',
    deprecated: raw['deprecated'] === true,
    description: asText(raw['description']),
    schema,
    holds: heldBy(document, { content, schema, style }),
    style,
    explode: typeof raw['explode'] === 'boolean' ? raw['explode'] : style === 'form',
    isRest: raw['x-multi-segment'] === true && path.endsWith(`/{${name}}`),
    example: raw['example'] ?? readExamples(document, raw)[0]?.value ?? example?.value,
  };
}

function heldBy(
  document: ApiDocument,
  { content, schema, style }: Pick<Parameter, 'schema' | 'style'> & { readonly content: Media | undefined },
): Parameter['holds'] {
  if (content !== undefined) return isJson(content.type) ? 'json' : 'text';
  return style === 'deepObject' || mayBeObject(document, schema) ? 'fields' : 'values';
}

/**
 * True if a media type is JSON.
 *
 * @param type a media type
 */
export function isJson(type: string): boolean {
  return /^[^;]*[/+]json\b/.test(type);
}

/** Selects the media type to show first, preferably JSON. */
export function preferredMedia(media: readonly Media[]): Media | undefined {
  return media.find(({ type }) => isJson(type)) ?? media[0];
}

function mayBeObject(document: ApiDocument, schema: unknown): boolean {
  const { types, choices } = readSchema(document, schema);
  const choosable = choices?.of.flatMap((each) => readSchema(document, each.schema).types) ?? [];
  return [...types, ...choosable].includes('object');
}

function readBody(document: ApiDocument, body: unknown): RequestBody {
  const raw = document.resolve(body);
  return {
    required: raw['required'] === true,
    description: asText(raw['description']),
    media: readMedia(document, raw['content']),
  };
}

function readResponse(document: ApiDocument, status: string, response: unknown): DocumentedResponse {
  const raw = document.resolve(response);
  return {
    status,
    description: asText(raw['description']),
    headers: Object.entries(asObject(raw['headers'])).map(([name, header]) => {
      const { description, schema } = document.resolve(header);
      return { name, description: asText(description), schema: schema ?? {} };
    }),
    media: readMedia(document, raw['content']),
  };
}

function readMedia(document: ApiDocument, content: unknown): readonly Media[] {
  return Object.entries(asObject(content)).map(([type, value]) => {
    const raw = document.resolve(value);
    const form = readForm(document, type, raw);
    return { type, schema: raw['schema'] ?? {}, examples: readExamples(document, raw), form };
  });
}

function readExamples(document: ApiDocument, raw: JsonObject): readonly Example[] {
  const named = Object.entries(asObject(raw['examples'])).flatMap(([name, each]) => {
    const { value, summary } = document.resolve(each);
    return value === undefined ? [] : [{ name, summary: asText(summary), value }];
  });
  if (named.length > 0 || raw['example'] === undefined) return named;
  return [{ name: 'example', summary: null, value: raw['example'] }];
}
