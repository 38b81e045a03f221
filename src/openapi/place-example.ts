import { isObject, type JsonObject } from '../base/json.ts';
import { objectAt } from './components.ts';
import { joinedParameters, listAt, pathItemAt } from './path-item.ts';
import { decodeStep, dereferenced, valueAt } from './pointer.ts';

interface PlaceInOperation {
  readonly method: string;
  /** As in the document. */
  readonly path: string;
  /** As `Violation.rulePath`: `/query/limit`, or a JSON pointer into the body. A step without a name is `*`. */
  readonly place: string;
}

export interface ResponseExample {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

/** Longer examples are left out. */
const MAX_LENGTH = 500;
const MAX_RESPONSE_LENGTH = 4000;
/** Maximum number of schemas to look at. Schemas may refer to each other in circles. */
const MAX_SCHEMAS = 100;

/**
 * Finds a value that the document gives for a place of a request: an example, a default or an allowed value.
 *
 * @returns the value as JSON; null if there is none
 */
export function findPlaceExample(document: JsonObject, { method, path, place }: PlaceInOperation): string | null {
  const item = pathItemAt(document, ['paths', path]) ?? {};
  const operation = objectAt(item, method.toLowerCase());
  const steps = place === '' ? [] : place.slice(1).split('/').map(decodeStep);
  const parameter = findParameter(document, item, operation, steps);
  const value =
    parameter === null
      ? findInBody(document, operation, steps)
      : (findOwnExample(document, parameter) ??
        new SchemaSearch(document).find(parameter['schema'] ?? findContent(parameter)?.content['schema'], []));
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length > MAX_LENGTH ? null : text;
}

/**
 * Finds the example that the document gives for the JSON body of a successful response.
 *
 * @returns the body with line breaks and indentation; null if there is no example, or only a long one
 */
export function findResponseExample(document: JsonObject, operation: JsonObject): ResponseExample | null {
  for (const [status, node] of Object.entries(objectAt(operation, 'responses'))) {
    if (!/^2\d\d$/.test(status)) continue;
    const entry = findContent(dereferenced(document, node));
    if (entry === null || !isJsonType(entry.type)) continue;
    const example =
      findOwnExample(document, entry.content) ?? new SchemaSearch(document).find(entry.content['schema'], []);
    const body = example === undefined ? '' : JSON.stringify(example, null, 2);
    if (body !== '' && body.length <= MAX_RESPONSE_LENGTH)
      return { status: Number(status), mediaType: entry.type, body };
  }
  return null;
}

function findParameter(
  document: JsonObject,
  item: JsonObject,
  operation: JsonObject,
  [where, name, ...more]: readonly string[],
): JsonObject | null {
  if (name === undefined || more.length > 0) return null;
  const parameters = joinedParameters(document, listAt(operation, 'parameters'), listAt(item, 'parameters'));
  for (const each of parameters) {
    const parameter = dereferenced(document, each);
    if (parameter === null || parameter['in'] !== where) continue;
    const own = String(parameter['name']);
    if (where === 'header' ? own.toLowerCase() === name.toLowerCase() : own === name) return parameter;
  }
  return null;
}

function findInBody(document: JsonObject, operation: JsonObject, steps: readonly string[]): unknown {
  const { content } = findContent(dereferenced(document, operation['requestBody'])) ?? {};
  if (content === undefined) return undefined;
  const example = findOwnExample(document, content);
  return (
    (example === undefined ? undefined : findValue(example, steps)) ??
    new SchemaSearch(document).find(content['schema'], steps)
  );
}

/** The JSON content of a body or parameter, else its first content. */
function findContent(part: JsonObject | null): { readonly type: string; readonly content: JsonObject } | null {
  const types = Object.entries(objectAt(part ?? {}, 'content'));
  const [type = '', content] = types.find(([each]) => isJsonType(each)) ?? types[0] ?? [];
  return isObject(content) ? { type, content } : null;
}

function isJsonType(type: string): boolean {
  return /[/+]json\b/i.test(type);
}

/** The example of a parameter or of a body. */
function findOwnExample(document: JsonObject, part: JsonObject): unknown {
  if (part['example'] !== undefined) return part['example'];
  const [first] = Object.values(objectAt(part, 'examples'));
  return dereferenced(document, first)?.['value'];
}

function findValue(example: unknown, steps: readonly string[]): unknown {
  return valueAt(
    example,
    steps.map((step) => (step === '*' ? '0' : step)),
  );
}

/** Searches a schema, and the schemas that it is made of, for an example of a place in a value. */
class SchemaSearch {
  readonly #document: JsonObject;
  #left = MAX_SCHEMAS;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  find(value: unknown, steps: readonly string[]): unknown {
    if (this.#left-- <= 0) return undefined;
    const schema = dereferenced(this.#document, value);
    if (schema === null) return undefined;
    const examples = [schema['example'], ...listAt(schema, 'examples'), schema['const'], schema['default']];
    for (const example of examples) {
      const found = example === undefined ? undefined : findValue(example, steps);
      if (found !== undefined) return found;
    }
    const [step, ...rest] = steps;
    if (step === undefined) {
      const [allowed] = listAt(schema, 'enum');
      if (allowed !== undefined) return allowed;
    } else {
      const within = [valueAt(schema, ['properties', step]), schema['items'], schema['additionalProperties']];
      for (const each of step === '*' ? within.slice(1) : within.slice(0, 1)) {
        const found = this.find(each, rest);
        if (found !== undefined) return found;
      }
    }
    for (const each of ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => listAt(schema, keyword))) {
      const found = this.find(each, steps);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
