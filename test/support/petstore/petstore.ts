import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { parse } from 'yaml';
import type { OpenApiDocument } from '../../../src/petstore/http/document.ts';
import { parseJson } from '../../../src/petstore/http/json.ts';
import { servePetstore, type ServeOptions } from '../../../src/petstore/serve.ts';
import { checkResponse } from './petstore-responses.ts';
import { temporaryDirectory } from '../temporary.ts';

export const OPENAPI_PATH = new URL('../../../config/petstore.openapi.yaml', import.meta.url).pathname;
export const openapi: OpenApiDocument = parse(readFileSync(OPENAPI_PATH, 'utf8'));

/** A response. Integers in `body` are BigInt, so that they lose no precision. */
export interface PetstoreResponse {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}
// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
export type Body = any;

interface Sent {
  /** The body as JSON. BigInts are written without loss of precision. */
  json?: unknown;
  /** The body, which is sent unchanged. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

export type LogLine = Record<string, unknown> & { level: string; message: string };
export type Api = Awaited<ReturnType<typeof startPetstore>>;

/** Starts a pet store on a free port with a new database. */
export async function startPetstore(options: Partial<ServeOptions> = {}) {
  const log: LogLine[] = [];
  const line = (level: string) => (fields: object, message: string) => void log.push({ level, message, ...fields });
  const { url, close } = await servePetstore({
    port: 0,
    host: '127.0.0.1',
    openapiPath: OPENAPI_PATH,
    database: join(temporaryDirectory(), 'petstore.db'),
    demo: false,
    logger: { info: line('info'), warn: line('warn'), error: line('error') },
    drain: { quietMs: 0 },
    ...options,
  });
  const call = (method: string, path: string, sent: Sent = {}) => callApi(url, method, path, sent);
  return {
    url,
    log,
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, json: unknown) => call('POST', path, { json }),
    put: (path: string, json: unknown) => call('PUT', path, { json }),
    delete: (path: string) => call('DELETE', path),
    close,
  };
}

/** Checks every response against the OpenAPI document. */
export async function callApi(url: string, method: string, path: string, sent: Sent): Promise<PetstoreResponse> {
  const body = sent.raw ?? (sent.json === undefined ? undefined : toJson(sent.json));
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(url + path, {
    method,
    headers: { ...type, ...sent.headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const received = {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : parseJson(text),
  };
  checkResponse(openapi, method, path, received);
  return received;
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    // @ts-expect-error -- the type library does not have rawJSON yet
    typeof one === 'bigint' ? JSON.rawJSON(one.toString()) : one,
  );
}

/**
 * Creates a category.
 *
 * @returns the id, which is a BigInt as in responses
 */
export async function makeCategory(api: Pick<Api, 'post'>): Promise<bigint> {
  return (await api.post('/categories', { name: 'Dogs' })).body.id;
}

export async function makePet(api: Pick<Api, 'post'>, fields: object = {}): Promise<bigint> {
  const categoryId = await makeCategory(api);
  return (await api.post('/pets', { name: 'Rex', categoryId, ...fields })).body.id;
}

export function expectError(received: PetstoreResponse, status: number, code: string, path?: string): void {
  expect({ status: received.status, code: received.body?.code }).toEqual({ status, code });
  if (path !== undefined) expect(received.body.details.map((one: { path: string }) => one.path)).toContain(path);
}
