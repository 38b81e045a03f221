import { createHash } from 'node:crypto';
import type { ValidationMode } from '../../domain/validation-mode.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { listParameters, withoutParameterNames } from '../../openapi/path-template.ts';
import type { UpstreamDocument } from '../../openapi/upstream-document.ts';
import type {
  DocumentValidator,
  OperationValidator,
  UncheckedOperation,
  ValidatorOptions,
} from '../../openapi/validation/validation.ts';

/** The checks of one operation's requests. */
export interface RouteValidation {
  /** The mode for keys that are not exempt. */
  readonly mode: ValidationMode;
  /** Null if the mode is `off`. */
  readonly current: OperationChecks | null;
  /** Checks against the next version of the document. Null: there is no candidate. */
  readonly candidate: CandidateChecks | null;
}

/** The checks of one operation against one document. They are prepared by the first request that needs them. */
export class OperationChecks {
  readonly #document: DocumentValidator;
  readonly #operation: Operation;
  #parameters: readonly string[] | null = null;
  #validator: OperationValidator | null = null;

  constructor(document: DocumentValidator, operation: Operation) {
    this.#document = document;
    this.#operation = operation;
  }

  /** Names of the parameters of the path, in the order of the template. */
  get parameters(): readonly string[] {
    return (this.#parameters ??= listParameters(this.#operation.path));
  }

  get validator(): OperationValidator {
    return (this.#validator ??= this.#document.forOperation(this.#operation.id));
  }
}

/** If `checks` is null, the candidate has no such operation, and would refuse every request. */
interface CandidateChecks {
  readonly checks: OperationChecks | null;
  /** Identifies the content of the candidate. */
  readonly version: string;
}

/** The settings of an upstream that decide what is checked. */
export interface ValidationConfig {
  readonly document: UpstreamDocument;
  readonly validation?: ValidationMode | undefined;
  readonly candidateDocument?: UpstreamDocument | null;
}

type CreateValidator = (document: UpstreamDocument, options?: ValidatorOptions) => Promise<DocumentValidator>;

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
  readonly #current: DocumentValidator | null;
  readonly #byOperation = new Map<Operation, RouteValidation>();

  static async open(config: ValidationConfig, createValidator: CreateValidator): Promise<UpstreamValidation> {
    const { document, candidateDocument = null } = config;
    const checked = listChecked(config);
    const current = checked.size === 0 ? null : await createValidator(document, { isChecked: (id) => checked.has(id) });
    const next = candidateDocument === null ? null : await createValidator(candidateDocument);
    return new UpstreamValidation(config, current, next);
  }

  private constructor(config: ValidationConfig, current: DocumentValidator | null, next: DocumentValidator | null) {
    this.#config = config;
    this.#current = current;
    const { document, validation = 'off', candidateDocument = null } = config;
    const checked = listChecked(config);
    const candidates = new Map(candidateDocument?.operations.map((each) => [identify(each), each]));
    const version = candidateDocument === null ? '' : identifyContent(candidateDocument);
    const findCandidate = (operation: Operation, validator: DocumentValidator): CandidateChecks => {
      const same = candidates.get(identify(operation));
      return { checks: same === undefined ? null : new OperationChecks(validator, same), version };
    };
    for (const operation of document.operations) {
      const own = current !== null && checked.has(operation.id) ? new OperationChecks(current, operation) : null;
      if (own === null && next === null) continue;
      this.#byOperation.set(operation, {
        mode: chooseMode(operation, validation),
        current: own,
        candidate: next === null ? null : findCandidate(operation, next),
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

  /** Operations that cannot be checked, with the mode that their upstream or document asks for. */
  get unchecked(): readonly (UncheckedOperation & { readonly mode: ValidationMode })[] {
    const { document, validation = 'off' } = this.#config;
    const modes = new Map(document.operations.map((each) => [each.id, chooseMode(each, validation)]));
    return (this.#current?.unchecked ?? []).map((each) => ({ ...each, mode: modes.get(each.operationId) ?? 'off' }));
  }
}

/** The ids of the operations whose mode is not `off`. */
function listChecked({ document, validation = 'off' }: ValidationConfig): ReadonlySet<string> {
  return new Set(
    document.operations.filter((operation) => chooseMode(operation, validation) !== 'off').map(({ id }) => id),
  );
}

/** A hash of the texts that a document was read from. */
function identifyContent({ source }: UpstreamDocument): string {
  const hash = createHash('sha256').update(source.text);
  for (const { text } of source.overlays) hash.update('\0').update(text);
  return hash.digest('base64url').slice(0, 16);
}

/** The method and path, whatever the names of the path's parameters are. */
function identify({ method, path, hasRest }: Operation): string {
  return `${method} ${withoutParameterNames(path)}${hasRest ? ' *' : ''}`;
}
