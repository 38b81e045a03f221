import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

const METHODS = ['get', 'post', 'put', 'delete'];

/**
 * Fields of operations whose JSON bodies are checked. The bodies are texts of up to 250 kB. For PUT, the gateway only
 * reports, and for the other methods, it does what the upstream's `validation` says.
 */
export function checkBodies(method: string): object {
  const content = { 'application/json': { schema: { type: 'string', maxLength: 250_000 } }, '*/*': {} };
  return {
    ...(method === 'get' ? {} : { requestBody: { content } }),
    ...(method === 'put' ? { 'x-tollgate-validation': 'report' } : {}),
  };
}

/**
 * Writes the OpenAPI document of an upstream that accepts the usual methods at each path.
 *
 * @param paths templates; those under `/public` need no key
 * @param more returns further fields of an operation
 * @returns the path of the file
 */
export function writeDocument(
  folder: string,
  name: string,
  paths: readonly string[],
  more: (method: string) => object = () => ({}),
): string {
  const responses = { default: { description: 'Whatever the script says' } };
  const operation = (method: string, path: string) => ({
    operationId: `${name} ${method} ${path}`.replaceAll(/[^a-z]+/g, '_'),
    responses,
    ...more(method),
    ...(path.startsWith('/public') ? { security: [] } : {}),
  });
  const document = {
    openapi: '3.0.3',
    info: { title: name, version: '1.0.0' },
    paths: Object.fromEntries(
      paths.map((path) => [path, Object.fromEntries(METHODS.map((method) => [method, operation(method, path)]))]),
    ),
  };
  const file = join(folder, `${name}.openapi.yaml`);
  writeFileSync(file, stringify(document));
  return file;
}
