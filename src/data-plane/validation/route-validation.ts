import type { ValidationMode } from '../../domain/validation-mode.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { listParameters } from '../../openapi/path-template.ts';
import type { UpstreamDocument } from '../../openapi/upstream-document.ts';
import type { DocumentValidator, OperationValidator, ValidatorOptions } from '../../openapi/validation/validation.ts';

/** The checks of one operation's requests. */
export interface RouteValidation {
  /** The mode for keys that are not exempt. */
  readonly mode: ValidationMode;
  /** Null if the mode is `off`. */
  readonly current: OperationChecks | null;
  /** Checks against the next version of the document. Null: there is no candidate. */
  readonly candidate: CandidateChecks | null;
}

export interface OperationChecks {
  readonly validator: OperationValidator;
  /** Names of the parameters of the path, in the order of the template. */
  readonly parameters: readonly string[];
}

/** Null as `checks`: the candidate has no such operation, so it would refuse every request. */
interface CandidateChecks {
  readonly checks: OperationChecks | null;
}

/** The settings of an upstream that decide what is checked. */
export interface ValidationConfig {
  readonly document: UpstreamDocument;
  readonly validation?: ValidationMode | undefined;
  readonly candidateDocument?: UpstreamDocument | null;
}

type CreateValidator = (document: UpstreamDocument, options?: ValidatorOptions) => DocumentValidator;

/** Whether any request of an upstream is checked. */
export function isAnythingChecked({
  document,
  validation = 'off',
  candidateDocument = null,
}: ValidationConfig): boolean {
  if (candidateDocument !== null) return true;
  return document.operations.some((operation) => chooseMode(operation, validation) !== 'off');
}

export function chooseMode(operation: Pick<Operation, 'validation'>, ofUpstream: ValidationMode): ValidationMode {
  return operation.validation ?? ofUpstream;
}

/** The checks of one upstream's requests. They are used again as long as the documents and the mode stay the same. */
export class UpstreamValidation {
  readonly #config: ValidationConfig;
  readonly #validators: DocumentValidator[] = [];
  readonly #byOperation = new Map<Operation, RouteValidation>();

  constructor(config: ValidationConfig, createValidator: CreateValidator) {
    this.#config = config;
    const { document, validation = 'off', candidateDocument = null } = config;
    const checked = new Set(
      document.operations.filter((operation) => chooseMode(operation, validation) !== 'off').map(({ id }) => id),
    );
    const current =
      checked.size === 0 ? null : this.#open(createValidator(document, { isChecked: (id) => checked.has(id) }));
    const next = candidateDocument === null ? null : this.#open(createValidator(candidateDocument));
    const candidates = new Map(candidateDocument?.operations.map((each) => [identify(each), each]));
    for (const operation of document.operations) {
      const own = current !== null && checked.has(operation.id) ? toChecks(current, operation) : null;
      const candidate = candidates.get(identify(operation));
      if (own === null && next === null) continue;
      this.#byOperation.set(operation, {
        mode: chooseMode(operation, validation),
        current: own,
        candidate: next === null ? null : { checks: candidate === undefined ? null : toChecks(next, candidate) },
      });
    }
  }

  /** Null: requests of this operation are not checked. */
  find(operation: Operation): RouteValidation | null {
    return this.#byOperation.get(operation) ?? null;
  }

  isFor({ document, validation = 'off', candidateDocument = null }: ValidationConfig): boolean {
    const own = this.#config;
    return (
      own.document === document &&
      (own.validation ?? 'off') === validation &&
      (own.candidateDocument ?? null) === candidateDocument
    );
  }

  close(): void {
    for (const validator of this.#validators) validator.close();
  }

  #open(validator: DocumentValidator): DocumentValidator {
    this.#validators.push(validator);
    return validator;
  }
}

function toChecks(validator: DocumentValidator, { id, path }: Operation): OperationChecks {
  return { validator: validator.forOperation(id), parameters: listParameters(path) };
}

/** The method and path, whatever the names of the path's parameters are. */
function identify({ method, path, hasRest }: Operation): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}${hasRest ? ' *' : ''}`;
}
