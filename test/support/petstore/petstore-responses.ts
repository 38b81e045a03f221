import { expect } from '@jest/globals';
import {
  readOperations,
  type DocumentOperation,
  type OpenApiDocument,
  type Schema,
} from '../../../src/petstore/http/document.ts';
import { ERRORS } from '../../../src/petstore/http/errors.ts';
import { compile, type Validator } from '../../../src/petstore/http/validation.ts';

/** `operationId status` for every response that this test file has seen. */
export const seen = new Set<string>();

interface ReceivedResponse {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

/** Checks a response against the document, and errors against the common error format. */
export function checkResponse(
  document: OpenApiDocument,
  method: string,
  path: string,
  received: ReceivedResponse,
): void {
  if (received.status >= 400) checkError(method, received);
  const operation = findOperation(document, method === 'HEAD' ? 'GET' : method, path.split('?', 1)[0]!);
  if (operation === undefined) {
    expect([404, 405]).toContain(received.status);
    return;
  }
  seen.add(`${operation.operationId} ${received.status}`);
  const response = operation.responses[received.status];
  if (response === undefined) throw new Error(`${operation.operationId}: status ${received.status} is not documented`);
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined || method === 'HEAD') expect(received.text).toBe('');
  else expect(createValidator(schema)(received.body, '')).toBeUndefined();
}

function checkError(method: string, { status, headers, body }: ReceivedResponse): void {
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toBe('application/json');
  if (method === 'HEAD') return;
  const error: Record<string, unknown> = { ...Object(body) };
  const keys = ['code', 'message', 'status', ...(error.code === 'validation_failed' ? ['details'] : [])];
  expect(Object.keys(error)).toEqual(keys);
  expect(error.status).toBe(BigInt(status));
  expect(ERRORS).toHaveProperty(String(error.code), { status, message: expect.any(String) });
}

let routes: { method: string; pattern: RegExp; operation: DocumentOperation }[] | undefined;

function findOperation(document: OpenApiDocument, method: string, path: string): DocumentOperation | undefined {
  routes ??= readOperations(document).map((operation) => ({
    method: operation.method,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]*')}$`),
    operation,
  }));
  return routes.find((one) => one.method === method && one.pattern.test(path))?.operation;
}

const validators = new Map<Schema, Validator>();

function createValidator(schema: Schema): Validator {
  const validator = validators.get(schema) ?? compile(closeSchema(schema));
  validators.set(schema, validator);
  return validator;
}

/** Rejects undocumented fields in a response. Clients must ignore unknown fields, but the service must not send any. */
function closeSchema(schema: Schema): Schema {
  const properties = schema.properties && {
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, closeSchema(field)]),
    ),
    additionalProperties: false,
  };
  return { ...schema, ...properties, ...(schema.items ? { items: closeSchema(schema.items) } : {}) };
}
