import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorDetail } from '../../base/errors.ts';
import type { JsonObject } from '../../upstreams/openapi.ts';
import { isDateTime } from '../../base/date-time.ts';
import { describe } from './messages.ts';

/** Lists what is wrong with a value, at paths that start with `base`; undefined if it is valid. Fills in defaults. */
export type Validator = (value: unknown, base: string) => ErrorDetail[] | undefined;

/** More details would help nobody. */
export const MAX_DETAILS = 20;
const DOCUMENT = 'api';

/** Compiles the schemas of one OpenAPI document. */
export class Schemas {
  readonly #ajv = new Ajv2020({ allErrors: true, verbose: true, useDefaults: true, allowUnionTypes: true });

  constructor(document: JsonObject) {
    // These keywords belong to OpenAPI, not to JSON Schema; the schemas in the document are checked strictly.
    this.#ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components']);
    this.#ajv.addFormat('date-time', isDateTime);
    this.#ajv.addSchema(document, DOCUMENT);
  }

  /** @param pointer the steps from the document's root to the schema */
  at(pointer: readonly string[]): Validator {
    return this.compile(referTo(pointer));
  }

  /** @param schema its references must come from `referTo` */
  compile(schema: JsonObject): Validator {
    const validate = this.#ajv.compile(schema);
    return (value, base) => {
      if (validate(value)) return undefined;
      // One detail per place: a value of the wrong type also fails its enum, and so on.
      const details = new Map<string, ErrorDetail>();
      for (const error of validate.errors ?? []) {
        const detail = describe(error, base);
        if (details.size < MAX_DETAILS && !details.has(detail.path)) details.set(detail.path, detail);
      }
      return [...details.values()];
    };
  }
}

export function referTo(pointer: readonly string[]): { $ref: string } {
  const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
  return { $ref: `${DOCUMENT}#/${steps.join('/')}` };
}
