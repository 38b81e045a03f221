/** A vendor's document is served with an operator's changes, and the file stays as the vendor wrote it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { type HttpService, serveHttp } from '../../support/services/http-service.ts';

let service: HttpService;
let gateway: ReloadingGateway;
let file: string;
let opened = 0;

const overlay = (...actions: object[]) => ({ overlay: '1.0.0', info: { title: 'Ours', version: '1' }, actions });
const costs = (cost: number) => ({ target: '$.paths["/costly"].get', update: { 'x-tollgate-cost': cost } });
const SUNSET = {
  target: '$.paths["/old"].get',
  update: { deprecated: true, 'x-deprecated-at': '2026-01-01T00:00:00Z', 'x-sunset': '2099-01-01T00:00:00Z' },
};
const PUBLIC = { target: '$.paths["/open"].get', update: { security: [] } };
const REMOVED = { target: '$.paths["/removed"]', remove: true };
const MODULE = `globalThis.createdWithOverlays = 0;
export default { create() { globalThis.createdWithOverlays++; return { handler: (_, res) => res.end('module') }; } };`;

beforeAll(async () => {
  service = await serveHttp((_req, res) => res.end('ok'));
  service.server.on('connection', () => opened++);
  gateway = await startReloadingGateway((write) => {
    file = write('vendor.yaml', createDocument({ costly: {}, old: {}, open: {}, removed: {} }));
    write('ours.yaml', overlay(costs(5), SUNSET, PUBLIC, REMOVED));
    write('package.json', '{"type":"module"}');
    write('module.js', MODULE);
    write('module.yaml', createDocument({ inside: {} }));
    write('module-ours.yaml', overlay({ target: '$.info', update: { title: 'Renamed' } }));
    write('plans.yaml', createPlans({ minute: 1000, day: 10_000 }));
    const upstreams = [
      { name: 'vendor', openapi: 'vendor.yaml', overlays: ['ours.yaml'], targets: [service.url] },
      { name: 'module', openapi: 'module.yaml', overlays: ['module-ours.yaml'], module: 'module.js' },
    ];
    return { settings: { plans: 'plans.yaml', upstreams } };
  });
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});

const remaining = async (path: string) => Number((await gateway.call(path)).headers.get('x-ratelimit-remaining'));

/** Measures the cost of a call, in units. */
async function costAt(path: string): Promise<number> {
  const before = await remaining(path);
  return before - (await remaining(path));
}

test('an overlay can set the cost of an operation, deprecate it, make it public or remove it', async () => {
  const vendors = readFileSync(file, 'utf8');
  expect(await costAt('/costly')).toBe(5);
  const { headers } = await gateway.call('/old');
  expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([
    expect.stringMatching(/^@\d+$/),
    expect.stringContaining('2099'),
  ]);
  expect((await fetch(`${gateway.url}/open`)).status).toBe(200);
  expect((await fetch(`${gateway.url}/costly`)).status).toBe(401);
  expect((await gateway.call('/removed')).status).toBe(404);
  expect(readFileSync(file, 'utf8')).toBe(vendors);
});

test('a reload applies a changed overlay without opening modules again', async () => {
  expect(await gateway.reload()).toMatchObject({ status: 200, body: { changed: [], restart: [], warnings: [] } });
  await gateway.call('/costly');
  const before = opened;
  gateway.write('ours.yaml', overlay(costs(7), SUNSET, PUBLIC));
  gateway.write('module-ours.yaml', overlay({ target: '$.info', update: { title: 'Again' } }));
  expect(await gateway.reload()).toMatchObject({
    status: 200,
    body: { changed: ['upstreams.vendor.overlays', 'upstreams.module.overlays'], restart: [], warnings: [] },
  });
  expect(await costAt('/costly')).toBe(7);
  expect((await gateway.call('/removed')).status).toBe(200);
  expect(await (await gateway.call('/inside')).text()).toBe('module');
  expect(opened).toBe(before);
  expect(globalThis).toMatchObject({ createdWithOverlays: 1 });
});

test('a reload warns about a target that matches nothing, and fails if an overlay makes the document invalid', async () => {
  gateway.write('ours.yaml', overlay({ target: '$.paths["/gone"]', remove: true }));
  expect((await gateway.reload()).body.warnings).toEqual([
    expect.stringMatching(/ours\.yaml:\d+: the target .* matches nothing/),
  ]);
  gateway.write('ours.yaml', overlay(costs(-1)));
  const { status, body } = await gateway.reload();
  expect(status).toBe(422);
  expect(JSON.stringify(body.details)).toMatch(/ours\.yaml:\d+: GET \/costly x-tollgate-cost must be/);
});
