import { ApiDocument, asObject, type JsonObject } from './document.ts';
import { type Operation, readOperation } from './operation.ts';
import type { ListedOperation } from './listed-operation.ts';

/** An operation, and a document with the schemas to which it refers. */
export interface OperationPart {
  readonly document: ApiDocument;
  readonly operation: Operation;
}

/**
 * Reads an operation from a part of the document.
 *
 * @param value a document that contains the operation
 */
export function readOperationPart(
  value: JsonObject,
  { method, path, missingFrom }: Pick<ListedOperation, 'method' | 'path' | 'missingFrom'>,
): OperationPart {
  const document = new ApiDocument(value);
  const item = document.resolve(asObject(value['paths'])[path]);
  // Only the list says which plans include the operation, because parts are the same for everybody.
  return { document, operation: { ...readOperation(document, method.toLowerCase(), path, item), missingFrom } };
}
