import { expect } from '@jest/globals';
import { readResponseSchemas } from './once/response-schemas.ts';

interface ResponseObject {
  readonly $ref?: string;
  readonly content?: object;
}

interface OperationObject {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly requestBody?: object;
  readonly responses: Record<string, ResponseObject>;
}

type Paths = Record<string, Record<string, OperationObject>>;

interface CheckedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);

/**
 * Creates a function that validates responses against an OpenAPI document.
 *
 * @param prefix the base path of the document's paths
 */
export function createResponseChecker(file: string, prefix: string) {
  const schemas = readResponseSchemas(file);
  const document = schemas.document as object as { paths: Paths };
  /** `operationId status` for every response that was checked so far in this test file. */
  const seen = new Set<string>();

  function check(method: string, path: string, received: CheckedResponse): void {
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    const plain = path.slice(prefix.length).split('?', 1)[0] ?? '';
    const template = schemas.templateOf(plain);
    const operation = template === undefined || !METHODS.has(wanted) ? undefined : document.paths[template]?.[wanted];
    if (template === undefined || operation === undefined) {
      expect(received.status).toBeGreaterThanOrEqual(400);
      return;
    }
    seen.add(`${operation.operationId} ${received.status}`);
    const range = `${String(received.status).charAt(0)}XX`;
    const status = [String(received.status), range].find((one) => Object.hasOwn(operation.responses, one));
    if (status === undefined) throw new Error(`${operation.operationId}: status ${received.status} is not documented`);
    checkBody(['paths', template, wanted, 'responses', status], operation.responses[status] ?? {}, method, received);
  }

  function checkBody(
    place: readonly string[],
    response: ResponseObject,
    method: string,
    received: CheckedResponse,
  ): void {
    const at = response.$ref === undefined ? place : response.$ref.slice(2).split('/');
    const found = at.reduce<unknown>(
      (node, step) => (node as Record<string, unknown>)[step],
      document,
    ) as ResponseObject;
    if (found.content === undefined || method === 'HEAD') {
      expect(received.text).toBe('');
      return;
    }
    const type = received.headers.get('content-type') ?? '';
    const validate = schemas.at([...at, 'content', type, 'schema']);
    expect(validate(structuredClone(received.body ?? received.text), '')).toBeUndefined();
  }

  return { document, seen, check };
}
