import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeEachLanguage } from '../../../../test/support/run-sample.ts';
import { LANGUAGES } from './languages.ts';
import type { SampledCall } from './sample.ts';

/**
 * Samples must do what the page says: each one is run unchanged, against a service that records what it receives. Texts
 * in them come from a document and from form fields, and must not become code on the way.
 */
const KEY = 'tg_live_of-the-test';
const HOSTILE = `it's "quoted" \\ $(touch pwned) \`x\` \${y} ü 🎉`;

let server: Server;
let apiUrl = '';
const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

beforeAll(async () => {
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
});

const call = (more: Partial<SampledCall>): SampledCall => ({
  apiUrl,
  needsKey: true,
  method: 'GET',
  path: '/pets',
  headers: [],
  cookie: null,
  body: null,
  ...more,
});

describeEachLanguage((language, runWith) => {
  const { sample } = LANGUAGES[language];
  const run = (code: string) => runWith(code, { API_KEY: KEY });

  test('a GET with the key', async () => {
    expect(await run(sample(call({ path: `/pets?name=${encodeURIComponent(HOSTILE)}` })))).toContain('the answer');
    expect(received.at(-1)).toMatchObject({ method: 'GET', headers: { 'x-api-key': KEY }, body: '' });
    expect(new URL(received.at(-1)?.url ?? '', apiUrl).searchParams.get('name')).toBe(HOSTILE);
  });

  test('a GET with a body, if the language supports it', async () => {
    const body = '{"name":"Rex"}';
    const code = sample(call({ headers: [['Content-Type', 'application/json']], body }));
    await run(code);
    const isSent = !code.includes('The body is left out');
    expect(isSent).toBe(language !== 'javascript');
    expect(received.at(-1)).toMatchObject({ method: 'GET', body: isSent ? body : '' });
  });

  test('a POST with a body that looks like code', async () => {
    const body = JSON.stringify({ name: HOSTILE, id: 1 }, null, 2).replace('1', '9223372036854775807');
    await run(sample(call({ method: 'POST', headers: [['Content-Type', 'application/json']], body })));
    expect(received.at(-1)).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(received.at(-1)?.body).toBe(`{"name":${JSON.stringify(HOSTILE)},"id":9223372036854775807}`);
  });

  test('a refusal is shown, and no key is sent if none is needed', async () => {
    const output = await run(
      sample(call({ path: '/refused', needsKey: false, headers: [['X-Trace', `it's`]], cookie: 'session=1%20a; x=2' })),
    );
    expect(output).toContain('the answer');
    expect(received.at(-1)?.headers).toMatchObject({ 'x-trace': `it's`, cookie: 'session=1%20a; x=2' });
    expect(received.at(-1)?.headers['x-api-key']).toBeUndefined();
  });
});

test.each(Object.entries(LANGUAGES))('%s: no sample contains the secret', (_, { sample }) => {
  expect(sample(call({ method: 'DELETE' }))).toContain('API_KEY');
});
