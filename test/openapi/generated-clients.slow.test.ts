/**
 * Generators of clients refused the published document, or lost `null`. The generators are a package of their own
 * (`generators/`), because openapi-typescript needs an earlier TypeScript. The test installs it.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { petstore, root, startTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { startTokenProvider, type TokenProvider } from '../support/servers/token-provider.ts';
import { type HttpService, serveHttp } from '../support/services/http-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const run = promisify(execFile);
const generators = join(import.meta.dirname, 'generators');
/** As Nest writes it: OpenAPI 3.0 with `nullable`. */
const parcels = join(generators, 'parcels.openapi.json');

let folder: string;
let service: HttpService;
let gateway: TestGateway;
let provider: TokenProvider;

beforeAll(async () => {
  folder = temporaryDirectory();
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    copyFileSync(join(generators, file), join(folder, file));
  }
  await npm('ci', '--no-audit', '--no-fund', '--ignore-scripts');
  provider = await startTokenProvider('https://api.example.com');
  service = await serveHttp((_req, res) => void res.setHeader('Content-Type', 'application/json').end('[]'));
  const swagger = join(root, 'node_modules/@readme/oas-examples/2.0/json/petstore.json');
  gateway = await startTestGateway({
    settings: {
      tokens: [{ name: 'corp', issuer: provider.issuer, audience: ['https://api.example.com'] }],
      upstreams: [
        petstore,
        { name: 'parcels', openapi: parcels, prefix: '/v1', targets: [service.url] },
        { name: 'old', openapi: swagger, prefix: '/old', idPrefix: 'old.', targets: [service.url] },
      ],
    },
  });
  const document = await gateway.call('/_gateway/openapi.json');
  writeFileSync(join(folder, 'published.json'), await document.text());
  copyFileSync(parcels, join(folder, 'own.json'));
  const options = { module: 'nodenext', target: 'esnext', lib: ['esnext', 'dom', 'dom.iterable'], strict: true };
  const compilerOptions = {
    ...options,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: [],
    outDir: 'dist',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['use.ts', 'published'] }));
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
  provider.stop();
});

/** Fails with what the command printed. */
async function npm(...args: string[]): Promise<string> {
  try {
    return (await run('npm', args, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`npm ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

const generate = (...command: string[]) => npm('exec', '--offline', '--', ...command);

/** Compiles a program that uses the generated types, with a line that must not compile where `@ts-expect-error` is. */
async function compile(program: string): Promise<void> {
  writeFileSync(join(folder, 'use.ts'), program);
  expect(await generate('tsc', '-p', '.')).toBe('');
}

const SAME = `
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isSame = <A, B>(same: Same<A, B>) => same;
`;
const SCHEMAS = ['ParcelDto', 'CreateParcelDto', 'SenderDto', 'LockerDto', 'DoorDto'];

test('a client of openapi-typescript compiles, is called, and has null where that of the service has it', async () => {
  for (const name of ['published', 'own']) await generate('openapi-typescript', `${name}.json`, '-o', `${name}.d.ts`);
  await compile(`
import createClient from 'openapi-fetch';
import type { paths, components } from './published.d.ts';
import type { components as OwnComponents, operations as OwnOperations } from './own.d.ts';
import type { operations } from './published.d.ts';
${SAME}
type Schemas = components['schemas'];
type Own = OwnComponents['schemas'];
${SCHEMAS.map((name) => `isSame<Schemas['${name}'], Own['${name}']>(true);`).join('\n')}
type Query = operations['ParcelsController_findAll']['parameters']['query'];
isSame<Query, OwnOperations['ParcelsController_findAll']['parameters']['query']>(true);
isSame<Schemas['ParcelDto']['note'], string | null>(true);
isSame<Schemas['ParcelDto']['sender'], Schemas['SenderDto'] | null>(true);
// @ts-expect-error -- it may be null
isSame<Schemas['ParcelDto']['note'], string>(true);
const client = createClient<paths>({ baseUrl: ${JSON.stringify(gateway.url)}, headers: { 'X-API-Key': ${JSON.stringify(gateway.demoKey)} } });
const { data, response } = await client.GET('/v1/parcels', { params: { query: { before: null } } });
console.log(response.status, data?.map(({ note }) => note?.length));
const pets = await client.GET('/pets', { params: { query: { limit: 1 } } });
console.log(pets.response.status, pets.data?.length);
`);
  const { stdout } = await run(process.execPath, [join(folder, 'dist/use.js')]);
  expect(stdout).toBe('200 []\n200 1\n');
});

test('a client of @hey-api/openapi-ts compiles, is called, and has null where that of the service has it', async () => {
  for (const name of ['published', 'own']) await generate('openapi-ts', '-i', `${name}.json`, '-o', name, '--silent');
  await compile(`
import { client } from './published/client.gen.js';
import { parcelsControllerFindAll, listPets } from './published/sdk.gen.js';
import type * as Published from './published/types.gen.js';
import type * as Own from './own/types.gen.js';
${SAME}
${SCHEMAS.slice(1)
  .map((name) => `isSame<Published.${name}, Own.${name}>(true);`)
  .join('\n')}
// This generator ignores \`nullable\` beside \`enum\`.
isSame<Omit<Published.ParcelDto, 'state'>, Omit<Own.ParcelDto, 'state'>>(true);
isSame<Published.ParcelDto['state'], 'waiting' | 'sent' | null>(true);
isSame<Published.ParcelsControllerFindAllData['query'], Own.ParcelsControllerFindAllData['query']>(true);
isSame<Published.ParcelDto['note'], string | null>(true);
client.setConfig({ baseUrl: ${JSON.stringify(gateway.url)}, headers: { 'X-API-Key': ${JSON.stringify(gateway.demoKey)} } });
const { data, response } = await parcelsControllerFindAll({ query: { before: '2026-01-01T00:00:00Z' } });
console.log(response?.status, data?.map(({ note }) => note?.length));
const pets = await listPets({ query: { limit: 1 } });
console.log(pets.response?.status, pets.data?.length);
`);
  const { stdout } = await run(process.execPath, [join(folder, 'dist/use.js')]);
  expect(stdout).toBe('200 []\n200 1\n');
});

test('generated clients send an access token of a real provider instead of a key', async () => {
  const { tokenUrl, client } = provider;
  await generate('openapi-ts', '-i', 'published.json', '-o', 'published', '--silent');
  await generate('openapi-typescript', 'published.json', '-o', 'published.d.ts');
  await compile(`
import createClient from 'openapi-fetch';
import type { paths } from './published.d.ts';
import { client } from './published/client.gen.js';
import { getGatewayUsage, listPets } from './published/sdk.gen.js';

async function getToken(): Promise<string> {
  const headers = { authorization: 'Basic ' + btoa(${JSON.stringify(`${client.id}:${client.secret}`)}) };
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'read' });
  const response = await fetch(${JSON.stringify(tokenUrl)}, { method: 'POST', headers, body });
  return ((await response.json()) as { access_token: string }).access_token;
}

const asked = new Set<string>();
client.setConfig({
  baseUrl: ${JSON.stringify(gateway.url)},
  // The client asks for each credential that the document allows.
  auth: ({ type, scheme, name }) => {
    asked.add([type, scheme ?? name].join(' '));
    return scheme === 'bearer' ? getToken() : undefined;
  },
});
const pets = await listPets({ query: { limit: 1 } });
console.log(pets.response?.status, pets.data?.length, [...asked].join(', '));
const usage = await getGatewayUsage();
console.log(usage.response?.status, usage.data?.plan);
const other = createClient<paths>({ baseUrl: ${JSON.stringify(gateway.url)} });
const authorization = 'Bearer ' + (await getToken());
const same = await other.GET('/pets', { headers: { authorization }, params: { query: { limit: 1 } } });
console.log(same.response.status, same.data?.length);
const refused = await other.GET('/pets', { headers: { authorization: authorization + 'x' } });
console.log(refused.response.status, refused.error?.code);
`);
  const { stdout } = await run(process.execPath, [join(folder, 'dist/use.js')]);
  expect(stdout).toBe('200 1 apiKey X-API-Key, http bearer\n200 free\n200 1\n401 token_invalid\n');
});
