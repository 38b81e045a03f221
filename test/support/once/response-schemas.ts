import { Schemas, type Validator } from '../../../src/base/json-schemas.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { readParts } from '../../../src/control-plane/api-server/api-document.ts';

interface ResponseSchemas {
  readonly document: JsonObject;
  /**
   * Finds the validator of a schema.
   *
   * @param pointer the steps from the document's root to the schema
   */
  at(pointer: readonly string[]): Validator;
  /**
   * Finds the path in the document that a requested path matches. Literal paths take precedence over paths with
   * parameters.
   */
  templateOf(path: string): string | undefined;
}

const read = new Map<string, ResponseSchemas>();

/** Reads an OpenAPI document of the gateway and compiles its schemas when they are first used. */
export function readResponseSchemas(file: string): ResponseSchemas {
  let found = read.get(file);
  if (found === undefined) read.set(file, (found = readSchemas(file)));
  return found;
}

function readSchemas(file: string): ResponseSchemas {
  const { value: document } = readParts(file);
  const schemas = new Schemas(document);
  const validators = new Map<string, Validator>();
  const templates = Object.keys(document['paths'] ?? {})
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((template) => ({ template, pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }));
  return {
    document,
    at(pointer) {
      const name = pointer.join(' ');
      let validator = validators.get(name);
      if (validator === undefined) validators.set(name, (validator = schemas.at(pointer)));
      return validator;
    },
    templateOf: (path) => templates.find(({ pattern }) => pattern.test(path))?.template,
  };
}
