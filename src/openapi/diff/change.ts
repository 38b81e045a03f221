/** How a change affects the callers of an operation. */
export type Severity = 'breaking' | 'warning' | 'compatible';

/** One change between two versions of a document. */
export interface Change {
  readonly kind: ChangeKind;
  /**
   * `breaking`: a caller that keeps to the earlier document can fail. `warning`: a caller can fail, but the documents do
   * not say whether it does.
   */
  readonly severity: Severity;
  /** The operation as it was before; as it is now if it is new. Null for a webhook. */
  readonly operation: ChangedOperation | null;
  /** JSON pointer into the later document, or into the earlier one if the part was removed. */
  readonly pointer: string;
  /** A sentence. It may hold names and values of the documents, shortened and without control characters. */
  readonly message: string;
}

export interface ChangedOperation {
  readonly id: string;
  readonly method: string;
  /** The path template as consumers call it, with the upstream's prefix. */
  readonly path: string;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** Why there may be more changes; null if these are all. */
  readonly incomplete: string | null;
}

export type ChangeKind =
  | 'operation_removed'
  | 'operation_added'
  | 'operation_deprecated'
  | 'operation_reactivated'
  | 'sunset_changed'
  | 'stability_changed'
  | 'webhook_removed'
  | 'webhook_added'
  | 'security_added'
  | 'security_removed'
  | 'parameter_removed'
  | 'parameter_added'
  | 'parameter_required'
  | 'parameter_optional'
  | 'parameter_style_changed'
  | 'body_removed'
  | 'body_added'
  | 'body_required'
  | 'body_optional'
  | 'media_type_removed'
  | 'media_type_added'
  | 'response_removed'
  | 'response_added'
  | 'header_removed'
  | 'header_added'
  | 'header_required'
  | 'header_optional'
  | 'field_removed'
  | 'field_added'
  | 'field_required'
  | 'field_optional'
  | 'access_changed'
  | 'type_changed'
  | 'null_allowed'
  | 'null_forbidden'
  | 'values_removed'
  | 'values_added'
  | 'limit_changed'
  | 'pattern_changed'
  | 'default_changed'
  | 'additional_fields_changed'
  | 'alternatives_removed'
  | 'alternatives_added'
  | 'condition_changed';
