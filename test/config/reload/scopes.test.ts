/** A reload applies the scopes of a document, and refuses scopes that cannot be enforced. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { callWithToken } from '../../support/gateway/token-gateway.ts';
import {
  createIssuerKey,
  signToken,
  startTokenIssuer,
  type TokenIssuerServer,
} from '../../support/servers/token-issuer.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';

const key = createIssuerKey('ES256', 'one');
let issuer: TokenIssuerServer;
let service: HttpService;
let gateway: ReloadingGateway;
beforeAll(async () => {
  issuer = await startTokenIssuer([key.jwk]);
  service = await serveHttp((_, res) => res.end('ok'));
  gateway = await startReloadingGateway((write) => {
    write('api.yaml', describe('read'));
    write('plans.yaml', createPlans({ minute: 1000, day: 10_000 }));
    return { settings: settings('ignore') };
  });
});
afterAll(async () => {
  await gateway.stop();
  issuer.stop();
  await service.close();
});

/**
 * Creates an operation that requires a scope.
 *
 * @param scheme the scheme of the requirement; only `oauth` is declared
 */
function describe(scope: string, scheme = 'oauth'): object {
  const components = { securitySchemes: { oauth: { type: 'oauth2', flows: {} } } };
  return { ...createDocument({ a: { security: [{ [scheme]: [scope] }] } }), components };
}

function settings(scopes: string): Record<string, unknown> {
  const upstreams = [{ name: 'a', openapi: 'api.yaml', targets: [service.url], scopes }];
  const tokens = [{ name: 'corp', issuer: issuer.url, audience: ['api'], plan: 'free' }];
  return { plans: 'plans.yaml', upstreams, tokens, portal: { plan: 'free' } };
}

async function call(scope: string): Promise<number> {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const claims = { iss: issuer.url, aud: 'api', azp: 'app', exp, scope };
  const token = signToken(key, { alg: key.alg, kid: 'one' }, claims);
  return (await callWithToken(gateway, token, {}, { path: '/a' })).status;
}

test('a reload applies a changed scopes setting and the scopes in a changed document', async () => {
  expect([await call('read'), await call('write')]).toEqual([200, 200]);
  gateway.configure(settings('enforce'));
  expect((await gateway.reload()).body).toMatchObject({ changed: ['upstreams.a.scopes'], restart: [] });
  expect([await call('read'), await call('write')]).toEqual([200, 403]);

  gateway.write('api.yaml', describe('write'));
  expect((await gateway.reload()).status).toBe(200);
  expect([await call('read'), await call('write')]).toEqual([403, 200]);

  gateway.write('api.yaml', describe('write', 'other'));
  const refused = await gateway.reload();
  expect(refused).toMatchObject({ status: 422, body: { code: 'configuration_invalid' } });
  expect(JSON.stringify(refused.body)).toContain('names other, which components.securitySchemes does not declare');
  expect([await call('read'), await call('write')]).toEqual([403, 200]);

  // An undeclared scheme is an error only while scopes are enforced.
  gateway.configure(settings('ignore'));
  expect((await gateway.reload()).status).toBe(200);
  expect([await call('read'), await call('write')]).toEqual([200, 200]);
});
