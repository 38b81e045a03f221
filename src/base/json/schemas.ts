import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import { type ErrorDetail, MAX_DETAILS } from '../error-codes.ts';
import { textFaults } from '../text-faults.ts';
import { isObject, type JsonObject } from './json-object.ts';
import { isDateTime } from '../date-time.ts';
import { describe, pointerStep } from './messages.ts';

/** Lists what is wrong with a value, at paths that start with `base`; undefined if it is valid. */
export type Validator = (value: unknown, base: string) => ErrorDetail[] | undefined;

const DOCUMENT = 'api';

/**
 * `own`: one of ours, checked strictly; defaults are filled in. `others`: what JSON Schema does not know is ignored,
 * and so are all formats but `date-time`.
 */
export type DocumentOrigin = 'own' | 'others';

/** `ownProperties`: a property may be called `constructor`, which every object inherits. */
const ALWAYS: Options = { allErrors: true, verbose: true, ownProperties: true };
const OPTIONS: Readonly<Record<DocumentOrigin, Options>> = {
  own: { ...ALWAYS, useDefaults: true, allowUnionTypes: true },
  // Whether a reference can be inlined takes time that is exponential in the depth of lists.
  others: { ...ALWAYS, strict: false, validateSchema: false, logger: false, inlineRefs: false },
};

/**
 * Compiles the schemas of one OpenAPI document: others' at once, because what is wrong with them must be told; our own
 * when they are first used, because there are hundreds, and the tests use each.
 */
export class Schemas {
  readonly #document: JsonObject;
  readonly #origin: DocumentOrigin;
  #ajv: Ajv2020 | null = null;

  constructor(document: JsonObject, origin: DocumentOrigin = 'own') {
    // Without prototypes, so that `#/components/schemas/constructor` leads to nothing where there is no such schema.
    this.#document = origin === 'own' ? document : (withoutPrototypes(document) as JsonObject);
    this.#origin = origin;
    if (origin === 'others') this.#compiler();
  }

  /**
   * @param pointer the steps from the document's root to the schema
   * @throws Error if it is no schema, or refers to what is not there
   */
  at(pointer: readonly string[]): Validator {
    return this.compile(referTo(pointer));
  }

  /** @param schema its references must come from `referTo` */
  compile(schema: JsonObject): Validator {
    const isOwn = this.#origin === 'own';
    let validate = isOwn ? null : this.#compiler().compile(schema);
    return (value, base) => {
      validate ??= this.#compiler().compile(schema);
      try {
        if (validate(value)) return undefined;
      } catch (error) {
        // Compiled, and yet without end: a schema that refers to itself in an `allOf`.
        if (isOwn) throw error;
        return [{ path: base, message: `cannot be checked, because its schema fails: ${String(error)}` }];
      }
      // One detail per place: a value of the wrong type also fails its enum, and so on.
      const details = new Map<string, ErrorDetail>();
      for (const error of validate.errors ?? []) {
        const detail = describe(error, base, isOwn);
        if (details.size < MAX_DETAILS && !details.has(detail.path)) details.set(detail.path, detail);
      }
      return [...details.values()];
    };
  }

  #compiler(): Ajv2020 {
    if (this.#ajv !== null) return this.#ajv;
    const ajv = new Ajv2020(OPTIONS[this.#origin]);
    // These keywords belong to OpenAPI, not to JSON Schema.
    ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components']);
    ajv.addKeyword(ANY_TEXT);
    // A format, or an `$id`, may be called `constructor`.
    for (const table of [ajv.formats, ajv.schemas, ajv.refs]) Object.setPrototypeOf(table, null);
    ajv.addFormat('date-time', isDateTime);
    ajv.addSchema(this.#document, DOCUMENT);
    this.#ajv = ajv;
    return ajv;
  }
}

/** In a schema of ours: a field that is passed on as it is, so that its texts may be any. */
const ANY_TEXT = 'x-any-text';

/**
 * A validator that also refuses texts that nobody may set, see `textFaults`, in a value that is valid otherwise.
 *
 * @param schema of the value; its own fields marked with `x-any-text` may have any text
 */
export function withTextChecked(validate: Validator, schema: unknown): Validator {
  const fields = Object.entries(Object(Object(schema).properties) as Record<string, JsonObject>);
  const anyText = new Set(fields.filter(([, field]) => field[ANY_TEXT] === true).map(([name]) => name));
  return (value, base) => {
    const details = validate(value, base);
    if (details !== undefined) return details;
    const checked = isObject(value) && anyText.size > 0 ? without(value, anyText) : value;
    const faults = textFaults(checked).slice(0, MAX_DETAILS);
    if (faults.length === 0) return undefined;
    return faults.map(({ at, message }) => ({ path: base + at.map(pointerStep).join(''), message }));
  };
}

function without(value: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

export function referTo(pointer: readonly string[]): { $ref: string } {
  const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
  return { $ref: `${DOCUMENT}#/${steps.join('/')}` };
}

function withoutPrototypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPrototypes);
  if (!isObject(node)) return node;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(node)) copy[key] = withoutPrototypes(value);
  return copy;
}
