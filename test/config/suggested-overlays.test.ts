/** If a document is refused, the message contains the overlay that makes it usable, wherever the message is shown. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { runCommand } from '../support/gateway/cli.ts';
import { createDocument, createPlans, startReloadingGateway } from '../support/gateway/reloading-gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
  write('plans.yaml', createPlans({ minute: 10, day: 100 }));
});
afterEach(() => folder.remove());

function write(name: string, content: object | string): void {
  writeFileSync(join(folder.path, name), typeof content === 'string' ? content : stringify(content));
}

/** Runs `config check` with an upstream `/v1` that has this document and, if given, an overlay. */
function check(paths: object, overlay?: object | string, document: object = {}) {
  write('api.yaml', { openapi: '3.1.0', paths, ...document });
  if (overlay !== undefined) write('overlay.yaml', overlay);
  const overlays = overlay === undefined ? {} : { overlays: ['overlay.yaml'] };
  const upstream = { name: 'vendor', openapi: 'api.yaml', targets: ['http://127.0.0.1:9'], ...overlays };
  const portal = { enabled: true, public: true };
  write('gateway.yaml', { plans: 'plans.yaml', portal, upstreams: [upstream] });
  return runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: join(folder.path, 'gateway.yaml') } });
}

const printedIn = (text: string) => text.slice(text.search(/^overlay: /m));
const operation = (operationId?: string) => ({ operationId, responses: {} });

test.each([
  [
    'two operations with the same id',
    { '/a': { get: operation('read') }, '/b': { get: operation('read') } },
    "$['paths']['/b']['get']['operationId']",
    'GET     /b',
  ],
  [
    'an operation below /_gateway/',
    { '/a': { get: operation() }, '/_gateway/x': { get: operation() } },
    "$['paths']['/_gateway/x']['get']",
    'GET     /a',
  ],
  [
    'an operation where the catalog of the API is served',
    { '/a': { get: operation() }, '/.well-known/api-catalog': { get: operation() } },
    "$['paths']['/.well-known/api-catalog']['get']",
    'GET     /a',
  ],
  ['a path that cannot be served', { '/a': { get: operation() }, '/x/*': {} }, "$['paths']['/x/*']", 'GET     /a'],
])('for %s, the check prints an overlay that makes the document usable', async (_, paths, target, listed) => {
  const refused = await check(paths);
  expect([refused.code, refused.out]).toEqual([1, '']);
  const printed = printedIn(refused.err);
  expect(printed).toContain(`- target: ${target}\n`);
  const accepted = await check(paths, printed);
  expect([accepted.code, accepted.err]).toEqual([0, '']);
  expect(accepted.out).toContain(listed);
  expect(accepted.out).not.toContain('warning:');
});

test('if two paths refer to the same operation, the suggested overlay removes the id where the operation is defined', async () => {
  const components = { pathItems: { shared: { get: operation('read') } } };
  const paths = { '/a': { $ref: '#/components/pathItems/shared' }, '/b': { $ref: '#/components/pathItems/shared' } };
  const printed = printedIn((await check(paths, undefined, { components })).err);
  expect(printed).toContain("- target: $['components']['pathItems']['shared']['get']['operationId']\n");
  expect((await check(paths, printed, { components })).code).toBe(0);
});

test('the warning about an action that changes nothing names the file and line', async () => {
  const info = { title: 'Ours', version: '1' };
  const actions = [
    { target: '$.paths["/a"]', update: {} },
    { target: '$.paths["/gone"]', remove: true },
  ];
  const { code, out } = await check({ '/a': { get: operation() } }, { overlay: '1.0.0', info, actions });
  expect(code).toBe(0);
  expect(out).toContain(
    `warning: ${folder.path}/overlay.yaml:8: the target $.paths["/gone"] matches nothing: correct or remove the action\n`,
  );
});

test('a reload that fails suggests the overlay, in the API and on the command line', async () => {
  const gateway = await startReloadingGateway((write) => {
    write('plans.yaml', createPlans({ minute: 10, day: 100 }));
    write('api.yaml', createDocument({ a: {} }));
    const upstream = { name: 'vendor', openapi: 'api.yaml', targets: ['http://127.0.0.1:9'] };
    return { settings: { plans: 'plans.yaml', upstreams: [upstream] } };
  });
  gateway.write('api.yaml', createDocument({ a: {}, b: { operationId: 'a' } }));
  const { status, body } = await gateway.reload();
  const [fault, remedy, ...others] = body.details;
  expect([status, others]).toEqual([422, []]);
  expect(fault.message).toContain('has the operationId "a"');
  expect(printedIn(remedy.message)).toContain("- target: $['paths']['/b']['get']['operationId']\n");
  const env = { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: gateway.adminToken };
  const { code, err } = await runCommand(['config', 'reload'], { env });
  expect(code).toBe(1);
  // There are more errors than a response has room for.
  const repeated = Array.from({ length: 30 }, (_, at) => [`b${at}`, { operationId: 'a' }]);
  gateway.write('api.yaml', createDocument({ a: {}, ...Object.fromEntries(repeated) }));
  const { details } = (await gateway.reload()).body;
  expect(details).toHaveLength(20);
  expect(printedIn(details.at(-1).message)).toContain("- target: $['paths']['/b29']['get']['operationId']\n");
  gateway.write('api.yaml', createDocument({ a: {}, b: { operationId: 'a' } }));
  gateway.write('overlay.yaml', printedIn(err));
  const upstream = { name: 'vendor', openapi: 'api.yaml', targets: ['http://127.0.0.1:9'], overlays: ['overlay.yaml'] };
  gateway.configure({ plans: 'plans.yaml', upstreams: [upstream] });
  expect((await gateway.reload()).status).toBe(200);
  await gateway.stop();
});
