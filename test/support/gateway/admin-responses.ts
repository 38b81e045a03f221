import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { parse } from 'yaml';
import { DOCUMENT_FILE } from '../../../src/admin/document.ts';
import { Schemas } from '../../../src/http-api/http/validation.ts';
import type { Answer } from './admin.ts';

interface ResponseObject {
  readonly $ref?: string;
  readonly content?: object;
}
type Paths = Record<
  string,
  Record<string, { readonly operationId: string; responses: Record<string, ResponseObject> }>
>;

export const document: { paths: Paths } = parse(readFileSync(DOCUMENT_FILE, 'utf8'));
/** `operationId status` of what any test of this file got. */
export const seen = new Set<string>();

const schemas = new Schemas(document);
const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);

/** Holds an answer to what the document says of its operation and status. */
export function checkAdminResponse(method: string, path: string, answer: Answer): void {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  const plain = path.slice('/v1'.length).split('?', 1)[0] ?? '';
  const template = templateOf(plain);
  const operation = template === undefined || !METHODS.has(wanted) ? undefined : document.paths[template]?.[wanted];
  if (template === undefined || operation === undefined) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    return;
  }
  seen.add(`${operation.operationId} ${answer.status}`);
  const range = `${String(answer.status).charAt(0)}XX`;
  const status = [String(answer.status), range].find((one) => Object.hasOwn(operation.responses, one));
  if (status === undefined) throw new Error(`${operation.operationId}: status ${answer.status} is not documented`);
  checkBody(['paths', template, wanted, 'responses', status], operation.responses[status] ?? {}, method, answer);
}

function checkBody(place: readonly string[], response: ResponseObject, method: string, answer: Answer): void {
  const at = response.$ref === undefined ? place : response.$ref.slice(2).split('/');
  const found = at.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as ResponseObject;
  if (found.content === undefined || method === 'HEAD') {
    expect(answer.text).toBe('');
    return;
  }
  const type = answer.headers.get('content-type') ?? '';
  const validate = schemas.at([...at, 'content', type, 'schema']);
  expect(validate(structuredClone(answer.body ?? answer.text), '')).toBeUndefined();
}

/** A literal path goes before one with a parameter. */
function templateOf(path: string): string | undefined {
  const templates = Object.keys(document.paths).toSorted((a, b) => a.split('{').length - b.split('{').length);
  return templates.find((template) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path));
}
