import { expect } from '@jest/globals';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ForeignKeyFormat } from '../../../src/domain/key-format.ts';
import { temporaryDirectory } from '../temporary.ts';
import { root, startTestGateway, type TestGateway } from './gateway.ts';

export const FAILED_ATTEMPTS = 5;

/**
 * Starts a gateway that accepts keys of these formats. Its operation `/echo` responds with the request that the service
 * received, and `/echo/public` needs no key.
 *
 * @param more fields of the service's document
 */
export function startForeignKeyGateway(formats: readonly ForeignKeyFormat[], more: object = {}): Promise<TestGateway> {
  const openapi = join(temporaryDirectory(), 'api.yaml');
  const echo = { get: { operationId: 'getEcho', responses: { 200: { description: 'What was seen' } } } };
  const open = { get: { ...echo.get, operationId: 'getPublic', security: [] } };
  const paths = { '/echo': echo, '/echo/public': open };
  writeFileSync(openapi, stringify({ openapi: '3.1.0', ...more, info: { title: 'API', version: '1' }, paths }));
  const upstreams = [{ name: 'a', openapi, module: join(root, 'test/support/services/contract-service.ts') }];
  const guard = { failedAttempts: FAILED_ATTEMPTS };
  // The gateway trusts the proxy, so that tests can set the address of the caller.
  const settings = { upstreams, guard, trustedProxies: ['127.0.0.1'], keys: { foreign: formats } };
  return startTestGateway({ settings });
}

export const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex');

/**
 * Imports keys by their hashes.
 *
 * @param fieldsFor returns the `prefix` and further fields of a key
 */
export async function importForeignKeys(
  gateway: TestGateway,
  secrets: readonly string[],
  fieldsFor: (secret: string) => { readonly prefix: string; readonly externalId?: string },
): Promise<void> {
  const keys = secrets.map((secret) => {
    const hashed = { sha256: sha256(secret), lastFour: secret.slice(-4) };
    return { name: 'moved', owner: 'acme', plan: 'free', ...hashed, ...fieldsFor(secret) };
  });
  const body = JSON.stringify({ random: true, keys });
  expect((await gateway.admin('/v1/keys/import', { method: 'POST', body })).status).toBe(201);
}

export interface Seen {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** Reads from a response of `/echo` which request the service received. */
export async function seen(response: Promise<Response>): Promise<Seen> {
  return (await (await response).json()) as Seen;
}
