/** One way in which a request does not fit its operation's description. */
export interface Violation {
  /**
   * `/query/limit`, `/path/petId`, `/header/X-Trace`, `/cookie/session`, or a JSON pointer into the body, such as
   * `/name`. The whole body is ''. It has the positions of the request's own items, so it belongs only into the details
   * of a response.
   */
  readonly path: string;
  /**
   * The same place with only the names that the document declares. Every other step (additional properties, array
   * indexes) is `*`. It is for counts, which must not hold values.
   */
  readonly rulePath: string;
  /** The keyword or check that fails: `required`, `type`, `enum`, `maximum`, `format`, `style`, `content_type`, … */
  readonly rule: string;
  /** A phrase that says what is required, such as `must be JSON`. It never contains a value of the request. */
  readonly message: string;
}

/** The name under which violations of one rule are counted together. The check has no spaces, so the place follows. */
export function nameRule({ rule, rulePath }: Pick<Violation, 'rule' | 'rulePath'>): string {
  return `${rule} ${rulePath}`;
}

/** A request without its body. */
export interface RequestHead {
  /** Names and values in turn, as in Node's `rawHeaders`. */
  readonly rawHeaders: readonly string[];
  /** The text after `?`, undecoded and without the `?`; empty if there is none. */
  readonly query: string;
  /** The undecoded values of the template's parameters, by name. */
  readonly pathParameters: ReadonlyMap<string, string>;
  readonly hasBody: boolean;
}

/** Checks the requests of one operation. */
export interface OperationValidator {
  /** Checks the parameters, the presence of a required body, and the content type of a body. */
  checkHead(head: RequestHead): readonly Violation[];
  /**
   * The check of a body with this content type. Null if nothing of the body is checked: it has no
   * schema, or it is not JSON.
   */
  bodyCheck(contentType: string): BodyCheck | null;
}

export type BodyFaultKind = 'not_json' | 'duplicate_name' | 'invalid_utf8' | 'byte_order_mark' | 'too_complex';

/** A body that is not JSON as the gateway accepts it, or that would take too long to check. */
export interface BodyFault {
  readonly fault: BodyFaultKind;
  readonly message: string;
}

/** Checks a whole body. It holds the event loop for at most about 10 ms, whatever the body is. */
export type BodyCheck = (bytes: Buffer) => readonly Violation[] | BodyFault;

/** An operation, or a part of it, that cannot be checked. `enforce` refuses the document for it. */
export interface UncheckedOperation {
  readonly operationId: string;
  /** JSON pointer to the place in the document. */
  readonly pointer: string;
  /** The end of a sentence that begins with the place. */
  readonly reason: string;
}

/** Checks requests against one document. */
export interface DocumentValidator {
  /** @throws RangeError if the document has no such operation */
  forOperation(operationId: string): OperationValidator;
  readonly unchecked: readonly UncheckedOperation[];
}

export interface ValidatorOptions {
  /** Whether requests of this operation are checked. Other operations are not looked at. Default: all operations. */
  readonly isChecked?: (operationId: string) => boolean;
}
