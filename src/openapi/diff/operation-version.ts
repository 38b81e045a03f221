import type { JsonObject } from '../../base/json.ts';
import type { Operation } from '../openapi.ts';

/** An operation or webhook as one of the two documents describes it. */
export interface OperationVersion {
  readonly document: JsonObject;
  /** The operation that the gateway serves; null for a webhook. */
  readonly operation: Operation | null;
  /** The template of its path; empty for a webhook. */
  readonly template: string;
  readonly item: JsonObject;
  readonly value: JsonObject;
  readonly pointer: string;
}
