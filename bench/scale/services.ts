import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A service that is made up for a run, with its entry in the gateway's configuration. */
interface Service {
  readonly upstream: object;
  /** A path of a resource for each operation. */
  readonly paths: readonly string[];
}

/** Makes a service with an operation for each path, such as `/pets/{petId}`, and each method. */
export function makeService(
  folder: string,
  { name, target, paths, methods = ['get'] }: { name: string; target: string; paths: string[]; methods?: string[] },
): Service {
  const operation = (path: string, method: string) => ({
    operationId: `${method}${path.replaceAll(/\W/g, '_')}`,
    parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
    ...(method === 'post' ? { requestBody: { content: { 'application/octet-stream': {} } } } : {}),
    responses: { 200: { description: 'A pet' } },
  });
  const document = {
    openapi: '3.1.0',
    info: { title: name, version: '1.0.0' },
    components: { securitySchemes: { ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    security: [{ ApiKeyAuth: [] }],
    paths: Object.fromEntries(
      paths.map((path) => [path, Object.fromEntries(methods.map((method) => [method, operation(path, method)]))]),
    ),
  };
  const openapi = join(folder, `${name}.openapi.json`);
  writeFileSync(openapi, JSON.stringify(document));
  return { upstream: { name, openapi, targets: [target] }, paths: paths.map((path) => path.replace('{petId}', '1')) };
}
