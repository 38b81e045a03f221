import { ApiDocument, asObject, type JsonObject } from './document.ts';
import { type Operation, readOperation } from './operation.ts';
import type { ListedOperation } from './listed-operation.ts';

/** An operation, and the document with the schemas that it refers to. */
export interface OperationPart {
  readonly document: ApiDocument;
  readonly operation: Operation;
}

/** @param value a document with that operation */
export function readOperationPart(
  value: JsonObject,
  { method, path, missingFrom }: Pick<ListedOperation, 'method' | 'path' | 'missingFrom'>,
): OperationPart {
  const document = new ApiDocument(value);
  const item = document.resolve(asObject(value['paths'])[path]);
  // Only the list has the marks, because parts are the same for everybody.
  return { document, operation: { ...readOperation(document, method.toLowerCase(), path, item), missingFrom } };
}
