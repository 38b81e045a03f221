import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeEachLanguage, SAMPLE_FILE } from '../../../../test/support/run-sample.ts';
import { SAMPLES } from '../../../../test/support/samples.ts';
import type { SampledCall } from './sample.ts';

/**
 * Samples must do what the page says, so each one is run unchanged against a service that records what it receives.
 * Texts in samples come from a document and from form fields, and must not become code on the way.
 */
const KEY = 'tg_live_of-the-test';
const HOSTILE = `it's "quoted" \\ $(touch pwned) \`x\` \${y} ü 🎉 \u2028\u0085\u2029.`;

/** The languages whose standard library sends a content type for the files of a form, but not for its other parts. */
const TYPES_FILES_ONLY: ReadonlySet<string> = new Set(['php', 'ruby']);

const JSON_TYPE = [['Content-Type', 'application/json']] as const;

let server: Server;
let apiUrl = '';
const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string; bytes: Buffer }[] =
  [];

beforeAll(async () => {
  server = createServer((req, res) => {
    void buffer(req).then((bytes) => {
      const { method = '', url = '', headers } = req;
      received.push({ method, url, headers, body: bytes.toString(), bytes });
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
  const sample = SAMPLES[language];
  const run = (code: string) => runWith(code, { API_KEY: KEY });

  test('a GET with the key', async () => {
    expect(await run(sample(call({ path: `/pets?name=${encodeURIComponent(HOSTILE)}` })))).toContain('the answer');
    expect(received.at(-1)).toMatchObject({ method: 'GET', headers: { 'x-api-key': KEY }, body: '' });
    expect(new URL(received.at(-1)?.url ?? '', apiUrl).searchParams.get('name')).toBe(HOSTILE);
  });

  test('a GET with a body, if the language supports it', async () => {
    const body = '{"name":"Rex"}';
    const code = sample(call({ headers: JSON_TYPE, body: { kind: 'text', text: body } }));
    await run(code);
    const isSent = !code.includes('The body is left out');
    expect(isSent).toBe(language !== 'javascript');
    expect(received.at(-1)).toMatchObject({ method: 'GET' });
    expect(received.at(-1)?.body.replaceAll(/\s/g, '')).toBe(isSent ? body : '');
  });

  test('a POST with a body that looks like code', async () => {
    const text = JSON.stringify({ name: HOSTILE, [HOSTILE]: [true, null, 1.5, []], n: 1 }, null, 2);
    await run(sample(call({ method: 'POST', headers: JSON_TYPE, body: { kind: 'text', text } })));
    expect(received.at(-1)).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(received.at(-1)?.body ?? '')).toEqual(JSON.parse(text));
  });

  test('numbers keep every digit', async () => {
    const text =
      '{\n  "id": 9223372036854775807,\n  "price": 0.12345678901234567890,\n  "__proto__": "\\u0041\\\\n"\n}';
    await run(sample(call({ method: 'PUT', headers: JSON_TYPE, body: { kind: 'text', text } })));
    // The sample for curl indents the body deeper than the options, so remove that indentation before comparing.
    const { method, body } = received.at(-1) ?? {};
    expect([method, body?.replaceAll('\n    ', '\n  ').replaceAll('\n  }', '\n}')]).toEqual(['PUT', text]);
  });

  test('a form', async () => {
    const fields = [
      ['name', HOSTILE],
      ['a[b c]', '@file;type=text/html'],
      ['tag', '1'],
    ] as const;
    for (const each of [fields, [...fields, ['tag', '2'] as const]]) {
      await run(sample(call({ method: 'POST', body: { kind: 'form', fields: each } })));
      const { headers, body } = received.at(-1) ?? { headers: {}, body: '' };
      expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
      expect([...new URLSearchParams(body)]).toEqual(each);
    }
  });

  test('a form with a file', async () => {
    const parts = [
      { name: 'name', value: HOSTILE, isFile: false, type: null },
      { name: 'photo', value: SAMPLE_FILE.name, isFile: true, type: 'image/png' },
      ...(TYPES_FILES_ONLY.has(language)
        ? []
        : [{ name: 'meta', value: '{"a;b":"@"}', isFile: false, type: 'application/json' }]),
    ];
    await run(sample(call({ method: 'POST', body: { kind: 'multipart', parts } })));
    const { headers, bytes } = received.at(-1) ?? { headers: {}, bytes: Buffer.of() };
    const type = headers['content-type'] ?? '';
    const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData();
    expect(form.get('name')).toBe(HOSTILE);
    const photo = form.get('photo') as File;
    expect([photo.name, photo.type]).toEqual([SAMPLE_FILE.name, 'image/png']);
    expect(Buffer.from(await photo.arrayBuffer())).toEqual(SAMPLE_FILE.content);
    const [, boundary = ''] = /boundary="?([^";]+)/.exec(type) ?? [];
    const meta = bytes
      .toString('latin1')
      .split(`--${boundary}`)
      .find((part) => /name="?meta"?/.test(part));
    // The part's headers may come in any order, so allow others before the body.
    if (TYPES_FILES_ONLY.has(language)) expect(meta).toBeUndefined();
    else expect(meta).toMatch(/content-type: application\/json(?:\r\n.+)*\r\n\r\n\{"a;b":"@"\}\r\n$/i);
  });

  test('a file as the body', async () => {
    const headers = [['Content-Type', 'image/png']] as const;
    await run(sample(call({ method: 'PUT', headers, body: { kind: 'file', fileName: SAMPLE_FILE.name } })));
    expect(received.at(-1)).toMatchObject({ method: 'PUT', headers: { 'content-type': 'image/png' } });
    expect(received.at(-1)?.bytes).toEqual(SAMPLE_FILE.content);
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

test.each(Object.entries(SAMPLES))('%s: no sample contains the secret', (_, sample) => {
  expect(sample(call({ method: 'DELETE' }))).toContain('API_KEY');
});
