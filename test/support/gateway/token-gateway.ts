import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryDirectory } from '../temporary.ts';
import { root, startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';

/**
 * Creates the settings of a gateway with three operations: one responds with the request that the service received, one
 * needs no key, and one has a response that never ends.
 */
export function tokenSettings(tokens: readonly object[], more: object = {}): Record<string, unknown> {
  const openapi = join(temporaryDirectory(), 'api.yaml');
  const echo = { get: { operationId: 'getEcho', responses: { 200: { description: 'What was seen' } } } };
  const open = { get: { ...echo.get, operationId: 'getPublic', security: [] } };
  const events = { get: { ...echo.get, operationId: 'getEvents' } };
  const paths = { '/echo': echo, '/echo/public': open, '/events': events };
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'API', version: '1' }, paths }));
  const upstreams = [{ name: 'a', openapi, module: join(root, 'test/support/services/contract-service.ts') }];
  // The gateway trusts the proxy, so that tests can set the address of the caller.
  return { upstreams, tokens, trustedProxies: ['127.0.0.1'], guard: { failedAttempts: 1000 }, ...more };
}

export function startTokenGateway(
  tokens: readonly object[],
  { more, ...options }: Omit<TestGatewayOptions, 'settings'> & { readonly more?: object } = {},
): Promise<TestGateway> {
  return startTestGateway({ ...options, settings: tokenSettings(tokens, more) });
}

/** Calls the gateway with a token. It sends no key, unless the request has one. */
export function callWithToken(
  gateway: TestGateway,
  token: string,
  headers: Record<string, string> = {},
  { key = null, path = '/echo' }: { readonly key?: string | null; readonly path?: string } = {},
): Promise<Response> {
  return gateway.call(path, { key, headers: { authorization: `Bearer ${token}`, ...headers } });
}
