/** Runs the documented examples that get, send or verify an access token with a real provider. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { tokensSchema } from '../../../src/config/token-settings.ts';
import { readDocument } from '../../support/documents.ts';
import { startTestGateway, petstore, type TestGateway } from '../../support/gateway/gateway.ts';
import { startTokenProvider, type TokenProvider } from '../../support/servers/token-provider.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const run = promisify(execFile);
const API = 'https://api.example.com';

let provider: TokenProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startTokenProvider(API);
  const tokens = [{ name: 'corp', issuer: provider.issuer, audience: [API] }];
  gateway = await startTestGateway({ settings: { upstreams: [petstore], tokens } });
});
afterAll(async () => {
  await gateway.stop();
  provider.stop();
});

/** The code blocks of a language below the heading "Access tokens". */
function examplesIn(document: string, language: string): string[] {
  const [, section = ''] = /^### Access tokens\n([^]*?)^##/m.exec(readDocument(document)) ?? [];
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);
}

const withAddresses = (code: string) =>
  code.replaceAll('https://login.example.com', provider.issuer).replaceAll('http://127.0.0.1:8080', gateway.url);

/** Runs a program that gets a token as the client of the provider. @returns what it printed */
async function runAsClient(program: string, ...args: string[]): Promise<string> {
  const { id: CLIENT_ID, secret: CLIENT_SECRET } = provider.client;
  return (await run(program, args, { env: { ...process.env, CLIENT_ID, CLIENT_SECRET } })).stdout;
}

test('the documented commands get and send a token with curl', async () => {
  const [code = '', ...others] = examplesIn('docs/consumers.md', 'sh');
  expect(others).toEqual([]);
  const pets = JSON.parse(await runAsClient('sh', '-c', withAddresses(code))) as object[];
  expect(pets.length).toBeGreaterThan(0);
});

test('the documented example gets and sends a token with JavaScript', async () => {
  const [code = '', ...others] = examplesIn('docs/consumers.md', 'js');
  expect(others).toEqual([]);
  const file = join(temporaryDirectory(), 'call.mjs');
  writeFileSync(file, withAddresses(code));
  expect(await runAsClient(process.execPath, file)).toBe('200\n');
});

test('the documented example for services verifies a token as the gateway does', async () => {
  const [code = '', ...others] = examplesIn('docs/upstream-teams.md', 'js');
  expect(others).toEqual([]);
  const file = join(temporaryDirectory(), 'service.mjs');
  writeFileSync(file, withAddresses(code).replace("'jose'", `'${import.meta.resolve('jose')}'`));
  const { readClaims } = (await import(pathToFileURL(file).href)) as {
    readonly readClaims: (request: { headers: { authorization?: string } }) => Promise<Record<string, unknown> | null>;
  };
  const [getToken = ''] = examplesIn('docs/consumers.md', 'sh').map((each) => each.split('\ncurl ')[0]);
  const token = (await runAsClient('sh', '-c', `${withAddresses(getToken)}\necho $TOKEN`)).trim();
  expect(await readClaims({ headers: { authorization: `Bearer ${token}` } })).toMatchObject({ client_id: 'app-1' });
  expect(await readClaims({ headers: {} })).toBeNull();
  await expect(readClaims({ headers: { authorization: `Bearer ${token.slice(0, -2)}` } })).rejects.toThrow();
});

test('every configuration shown in the documentation is valid', () => {
  const blocks = readDocument('docs/operators/tokens.md').matchAll(/^```yaml\n([^]*?)^```/gm);
  const entries = Array.from(blocks, ([, text = '']) => (parse(text) as { tokens?: object[] }).tokens ?? []);
  expect(entries.flat().length).toBeGreaterThan(8);
  for (const each of entries) expect(tokensSchema.safeParse(each)).toMatchObject({ success: true });
});
