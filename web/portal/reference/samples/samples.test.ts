import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Language, LANGUAGES } from './languages.ts';
import type { SampledCall } from './sample.ts';

/**
 * A consumer pastes a sample, and it does what the page said: each is run as it stands, against a service that notes
 * what it gets. The texts in them come from a document and from whoever filled in the form, and must not be taken for
 * code on the way.
 */
const KEY = 'tg_live_of-the-test';
const HOSTILE = `it's "quoted" \\ $(touch pwned) \`x\` \${y} ü 🎉`;

const RUNS: Readonly<Record<Language, (file: string) => readonly [string, ...string[]]>> = {
  curl: (file) => ['sh', file],
  javascript: (file) => [process.execPath, '--input-type=module', '-e', `await import(${JSON.stringify(file)})`],
  python: (file) => ['python3', file],
  go: (file) => ['go', 'run', file],
};
const SUFFIX = { curl: 'sh', javascript: 'mjs', python: 'py', go: 'go' };
const PROGRAM = { curl: 'curl', javascript: process.execPath, python: 'python3', go: 'go' };

/** A sample in a language that is not installed here is read, but not run. */
const installed = (Object.keys(LANGUAGES) as Language[]).filter(
  (language) => spawnSync(PROGRAM[language], [language === 'go' ? 'version' : '--version']).error === undefined,
);

let server: Server;
let apiUrl = '';
let folder = '';
const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
  server = createServer((req, res) => {
    void text(req).then((body) => {
      received.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      res.writeHead(req.url?.startsWith('/refused') === true ? 429 : 200).end('the answer');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const call = (more: Partial<SampledCall>): SampledCall => ({
  apiUrl,
  needsKey: true,
  method: 'GET',
  path: '/pets',
  headers: [],
  body: null,
  ...more,
});

async function run(language: Language, sample: string): Promise<string> {
  const file = join(folder, `sample.${SUFFIX[language]}`);
  writeFileSync(file, `${sample}\n`);
  const [program, ...args] = RUNS[language](file);
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, API_KEY: KEY } });
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return output + problems;
}

describe.each(installed)('%s', (language) => {
  const { sample } = LANGUAGES[language];

  test('a GET with the key', async () => {
    expect(await run(language, sample(call({ path: `/pets?name=${encodeURIComponent(HOSTILE)}` })))).toContain(
      'the answer',
    );
    expect(received.at(-1)).toMatchObject({ method: 'GET', headers: { 'x-api-key': KEY }, body: '' });
    expect(new URL(received.at(-1)?.url ?? '', apiUrl).searchParams.get('name')).toBe(HOSTILE);
  });

  test('a POST with a body that looks like code', async () => {
    const body = JSON.stringify({ name: HOSTILE, id: 1 }, null, 2).replace('1', '9223372036854775807');
    await run(language, sample(call({ method: 'POST', headers: [['Content-Type', 'application/json']], body })));
    expect(received.at(-1)).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(received.at(-1)?.body).toBe(`{"name":${JSON.stringify(HOSTILE)},"id":9223372036854775807}`);
  });

  test('a refusal is shown, and no key is sent where none is needed', async () => {
    const output = await run(
      language,
      sample(call({ path: '/refused', needsKey: false, headers: [['X-Trace', `it's`]] })),
    );
    expect(output).toContain('the answer');
    expect(received.at(-1)?.headers).toMatchObject({ 'x-trace': `it's` });
    expect(received.at(-1)?.headers['x-api-key']).toBeUndefined();
  });
});

test.each(Object.entries(LANGUAGES))('%s: the secret stands in no sample', (_, { sample }) => {
  expect(sample(call({ method: 'DELETE' }))).toContain('API_KEY');
});
