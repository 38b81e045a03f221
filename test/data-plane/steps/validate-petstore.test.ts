/** The pet store checks its requests itself. The gateway must refuse the same requests, with the same errors. */
import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { runCommand } from '../../support/gateway/cli.ts';
import { startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { root } from '../../support/gateway/gateway.ts';
import { until } from '../../support/until.ts';

const createUpstream = (name: string, validation: 'report' | 'enforce') => ({
  name,
  openapi: join(root, 'config/petstore.openapi.yaml'),
  module: join(root, 'src/petstore/upstream.ts'),
  options: { database: `${name}.db` },
  events: false,
  prefix: `/${name}`,
  idPrefix: `${name}_`,
  validation,
});

const INVALID: readonly (readonly [path: string, body: object | null])[] = [
  ['/pets?limit=1000', null],
  ['/pets?limit=many', null],
  ['/pets', {}],
  ['/pets', { name: 7, categoryId: 1, status: 'available' }],
  ['/pets', { name: 'Rex', categoryId: 1, status: 'lost' }],
];
const VALID: typeof INVALID = [
  ['/pets?limit=10', null],
  ['/pets', { name: 'Rex', categoryId: 1, status: 'available' }],
];

test('enforce refuses the requests that report and the CLI count, with the pet store’s own form of errors', async () => {
  const gateway = await startGatewayWithUpstreams([
    createUpstream('counted', 'report'),
    createUpstream('refused', 'enforce'),
  ]);
  const call = async (path: string, body: object | null) => {
    const headers = { 'Content-Type': 'application/json' };
    const post = body === null ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await gateway.call(path, post);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const readForm = (text: string) => {
    const { details = [], ...error } = JSON.parse(text) as Record<string, unknown> & { details?: object[] };
    return { keys: Object.keys(error), code: error['code'], details: details.map((each) => Object.keys(each)) };
  };
  for (const [path, body] of INVALID) {
    const [own, refused] = [await call(`/counted${path}`, body), await call(`/refused${path}`, body)];
    expect([refused.status, refused.type]).toEqual([own.status, own.type]);
    expect(readForm(refused.text)).toEqual(readForm(own.text));
  }
  for (const [path, body] of VALID) {
    expect((await call(`/refused${path}`, body)).status).toBe((await call(`/counted${path}`, body)).status);
  }
  const count = async (operation: string) => {
    const response = await gateway.admin(`/v1/operations/${operation}/violations?by=key`);
    const { items } = (await response.json()) as { items: { requests: number; refused: number }[] };
    return items.map(({ requests, refused }) => [requests, refused]);
  };
  await until(async () => (await count('refused_createPet')).flat()[0] === 3);
  await until(async () => (await count('counted_createPet')).flat()[0] === 3);
  expect(await count('refused_createPet')).toEqual([[3, 3]]);
  expect(await count('counted_createPet')).toEqual([[3, 0]]);
  expect(await count('refused_listPets')).toEqual([[2, 2]]);
  expect(await count('counted_listPets')).toEqual([[2, 0]]);
  const env = { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: gateway.adminToken };
  for (const by of ['key', 'owner', 'rule']) {
    const { code, out } = await runCommand(['operations', 'violations', 'counted_createPet', '--by', by], { env });
    expect(code).toBe(0);
    expect(out).toMatch(/required +\/name/);
    expect(out).toMatch(by === 'rule' ? /enum +\/status +1 +1 +1 +0 / : / 3 +0 /);
    // The output never has a value of a request.
    expect(out).not.toMatch(/lost|Rex/);
  }
  await gateway.stop();
});
