/**
 * `report` counts the requests that do not fit the document of their service, and `enforce` refuses exactly those. The
 * service must receive the bytes of a request unchanged, however they arrived.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { root, type TestGateway } from '../../support/gateway/gateway.ts';
import { RawConnection } from '../../support/raw.ts';
import { createService } from '../../support/services/contract-service.ts';
import { type HttpService, listening } from '../../support/services/http-service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const petSchema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 20 }, age: { type: 'integer', minimum: 0 } },
};
const responses = { 200: { description: 'OK' } };
const petDocument = (schema: object = petSchema, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
        responses,
      },
      post: {
        operationId: 'addPet',
        requestBody: { required: true, content: { 'application/json': { schema }, 'text/plain': {} } },
        responses,
      },
    },
    '/free': {
      post: {
        operationId: 'free',
        'x-tollgate-validation': 'off',
        requestBody: { content: { 'application/json': { schema } } },
        responses,
      },
    },
    ...more,
  },
});

const folder = temporaryDirectory();
const openapi = join(folder, 'pets.json');
const candidate = join(folder, 'next.json');
writeFileSync(openapi, JSON.stringify(petDocument()));
const { '/free': _, ...kept } = petDocument({ ...petSchema, required: ['name', 'age'] }).paths;
writeFileSync(candidate, JSON.stringify({ ...petDocument(), paths: kept }));

/** Responds with the body that it received, and records when the first byte of each arrived. */
const module = join(folder, 'echo.mjs');
writeFileSync(
  module,
  `import { createService } from ${JSON.stringify(join(root, 'test/support/services/contract-service.ts'))};
  export default { create: () => ({
    upgrade: createService().upgrade,
    async handler(req, res) {
      const chunks = [];
      for await (const chunk of req) chunks.push(chunk);
      res.setHeader('X-Trailer', req.trailers['x-check'] ?? '');
      res.end(Buffer.concat(chunks));
    } }) };`,
);

let service: HttpService;
let firstBytes = 0;
beforeAll(async () => {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.once('data', () => firstBytes++);
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => res.end(Buffer.concat(chunks)));
  });
  server.on('upgrade', createService().upgrade);
  service = await listening(server);
});
afterAll(() => service.close());

interface Violations {
  readonly items: readonly Record<string, unknown>[];
  readonly unchecked: readonly { readonly reason: string; readonly requests: number }[];
}

async function readViolations(gateway: TestGateway, query: string, operation = 'addPet'): Promise<Violations> {
  const response = await gateway.admin(`/v1/operations/${operation}/violations?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Violations;
}

const json = { 'Content-Type': 'application/json' };
const head = (key: string, ...headers: string[]) =>
  ['POST /pets HTTP/1.1', 'Host: x', `X-API-Key: ${key}`, 'Content-Type: application/json', ...headers, '', ''].join(
    '\r\n',
  );
const chunked = (...chunks: string[]) =>
  [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');

describe.each([
  ['in process', () => ({ module })],
  ['over HTTP', () => ({ targets: [service.url] })],
])('with a service %s,', (_name, upstream) => {
  describe('with enforce,', () => {
    let gateway: TestGateway;
    let key: string;
    beforeAll(async () => {
      const settings = { validation: { maxBody: '10kb', maxBuffered: '64kb' } };
      gateway = await startGatewayWithUpstreams(
        [{ name: 'pets', openapi, validation: 'enforce', ...upstream() }],
        settings,
      );
      key = gateway.demoKey ?? '';
    });
    afterAll(() => gateway.stop());

    const post = (body: string | Buffer, headers: Record<string, string> = json, path = '/pets') =>
      gateway.call(path, { method: 'POST', body: body as string, headers });

    test('a request that fits the document is forwarded unchanged', async () => {
      const body = '{"name" :  "Rex",\n "age": 1.0e1}';
      const response = await post(body);
      expect([response.status, await response.text()]).toEqual([200, body]);
    });

    test.each([
      ['a missing property', '{"age":1}', '/name'],
      ['a wrong value', '{"name":"Rex","age":-1}', '/age'],
      ['a body of another type', '[]', ''],
    ])('%s is refused, and the error names its place', async (_what, body, path) => {
      const response = await post(body);
      const { code, status, details } = (await response.json()) as Record<string, unknown>;
      expect([response.status, code, status]).toEqual([400, 'validation_failed', 400]);
      expect(details).toEqual([{ path, message: expect.any(String) }]);
    });

    test('a parameter that does not fit the document is refused', async () => {
      const response = await gateway.call('/pets?limit=1000');
      expect(await response.json()).toMatchObject({ code: 'validation_failed', details: [{ path: '/query/limit' }] });
    });

    test.each([
      ['is not JSON', '{"name":', 400, 'bad_request'],
      ['has a duplicate name', '{"name":"a","name":"b"}', 400, 'bad_request'],
      ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'bad_request'],
      ['is too long', JSON.stringify({ name: 'Rex', more: 'x'.repeat(11_000) }), 413, 'body_too_large'],
    ])('a body that %s is refused', async (_what, body, status, code) => {
      const response = await post(body);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
    });

    test('an encoded body is refused', async () => {
      const response = await post(gzipSync('{"name":"Rex"}'), { ...json, 'Content-Encoding': 'gzip' });
      expect(response.status).toBe(415);
    });

    test('a body without a JSON schema passes, and counts as unchecked', async () => {
      const response = await post('x'.repeat(20_000), { 'Content-Type': 'text/plain' });
      expect([response.status, (await response.text()).length]).toEqual([200, 20_000]);
      await until(async () => (await readViolations(gateway, '')).unchecked.length > 0);
      expect((await readViolations(gateway, '')).unchecked).toMatchObject([{ reason: 'no_json_schema', requests: 1 }]);
    });

    test('requests of an operation whose mode is off are not checked', async () => {
      expect((await post('{', json, '/free')).status).toBe(200);
    });

    test('a chunked body that is split at every byte, with trailers, arrives unchanged', async () => {
      const body = '{"name":"Rex","age":3}';
      const connection = new RawConnection(gateway.url).send(
        head(key, 'Transfer-Encoding: chunked', 'Trailer: X-Check'),
      );
      const bytes = `${chunked(...body.split('')).slice(0, -2)}X-Check: yes\r\n\r\n`;
      for (const byte of bytes) {
        connection.send(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { status, body: received } = await connection.readResponse();
      expect(status).toBe(200);
      expect(received).toContain(body);
      // The connection is still usable.
      connection.send(`${head(key, 'Content-Length: 2')}{}`);
      expect((await connection.readResponse()).status).toBe(400);
      connection.send(`${head(key, 'Content-Length: 14')}{"name":"Rex"}`);
      expect((await connection.readResponse()).status).toBe(200);
      connection.close();
    });

    test('a chunked body that becomes too long is refused', async () => {
      const connection = new RawConnection(gateway.url).send(head(key, 'Transfer-Encoding: chunked'));
      // The chunks may arrive while the key is being looked up, or later.
      for (let count = 0; count < 12; count++) connection.send(chunked('x'.repeat(1000)).slice(0, -5));
      expect((await connection.readResponse()).status).toBe(413);
      await connection.closed();
    });

    test('100 Continue is sent once, before the body is read', async () => {
      const connection = new RawConnection(gateway.url).send(head(key, 'Expect: 100-continue', 'Content-Length: 14'));
      await connection.until(/100 Continue\r\n\r\n/);
      connection.send('{"name":"Rex"}');
      const received = await connection.until(/200 OK[\s\S]*"Rex"/);
      expect(received.match(/100 Continue/g)).toHaveLength(1);
      connection.close();
    });

    test('an aborted body frees its memory, and a body that exceeds the memory left gets 503', async () => {
      const waiting = Array.from({ length: 8 }, () =>
        new RawConnection(gateway.url).send(`${head(key, 'Content-Length: 9000')}${'x'.repeat(8500)}`),
      );
      const isOverloaded = async () =>
        (await post('{"name":"Rex"}')).status === 503 ||
        (await post(`{"name":"Rex","m":"${'x'.repeat(8000)}"}`)).status === 503;
      await until(isOverloaded);
      for (const connection of waiting) connection.close();
      await until(async () => !(await isOverloaded()));
    });

    test('only the head of a WebSocket handshake is checked', async () => {
      const handshake = (limit: string) =>
        `GET /pets?limit=${limit} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
      const refused = await new RawConnection(gateway.url).send(handshake('1000')).readResponse();
      expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('/query/limit')]);
      // The frame contains a masked text that is no JSON.
      const connection = new RawConnection(gateway.url).send(`${handshake('10')}\x81\x84\0\0\0\0ping`);
      await connection.until(/^HTTP\/1\.1 101[\s\S]*ping$/);
      expect(connection.received).toMatch(/^HTTP\/1\.1 101[\s\S]*ping$/);
      connection.close();
    });

    test('invalid calls of an exempt key are only counted', async () => {
      const created = await gateway.admin('/v1/keys', {
        method: 'POST',
        body: JSON.stringify({ name: 'old app', owner: 'acme', plan: 'free', validation: 'report' }),
      });
      const { id, key: secret } = (await created.json()) as { id: string; key: string };
      const call = () => gateway.call('/pets', { method: 'POST', body: '{}', headers: json, key: secret });
      expect((await call()).status).toBe(200);
      await gateway.admin(`/v1/keys/${id}`, { method: 'PATCH', body: JSON.stringify({ validation: null }) });
      await until(async () => (await call()).status === 400);
      await until(async () => {
        const { items } = await readViolations(gateway, 'by=key&owner=acme');
        return items.length === 1 && Number(items[0]?.['refused']) > 0;
      });
      const { items } = await readViolations(gateway, `by=rule&key=${id}`);
      expect(items).toMatchObject([{ rule: 'required', path: '/name', keys: 1, owner: null }]);
    });
  });

  describe('with report,', () => {
    let gateway: TestGateway;
    let key: string;
    beforeAll(async () => {
      const settings = { validation: { maxBody: '10kb' } };
      const own = { name: 'pets', openapi, validation: 'report', candidate, ...upstream() };
      gateway = await startGatewayWithUpstreams([own], settings);
      key = gateway.demoKey ?? '';
    });
    afterAll(() => gateway.stop());

    const post = (body: string | Buffer, headers: Record<string, string> = json) =>
      gateway.call('/pets', { method: 'POST', body: body as string, headers });

    test('every request is forwarded unchanged, and faults are counted by key, owner and rule, without the values sent', async () => {
      const bodies = ['{"age":"secret-value"}', '{"name":', '{"name":"Rex","age":1}', '{"name":"Rex"}'];
      for (const body of bodies) {
        const response = await post(body);
        expect([response.status, await response.text()]).toEqual([200, body]);
      }
      const long = JSON.stringify({ name: 'x'.repeat(20_000) });
      expect(await (await post(long)).text()).toBe(long);
      const encoded = gzipSync('{}');
      const response = await post(encoded, { ...json, 'Content-Encoding': 'gzip' });
      expect(Buffer.from(await response.arrayBuffer()).equals(encoded)).toBe(true);
      await until(async () => (await readViolations(gateway, '')).unchecked.length === 2);
      const byKey = await readViolations(gateway, 'by=key');
      expect(byKey.items).toMatchObject([{ requests: 2, refused: 0 }]);
      expect(byKey.unchecked.map(({ reason }) => reason).toSorted()).toEqual(['encoded', 'too_long']);
      const byRule = await readViolations(gateway, 'by=rule');
      expect(byRule.items.map(({ rule, path }) => `${String(rule)} ${String(path)}`).toSorted()).toEqual(
        ['not_json ', 'required /name', 'type /age'].toSorted(),
      );
      expect(JSON.stringify(byRule)).not.toContain('secret-value');
      // The next version of the document also requires the age.
      const next = await readViolations(gateway, 'by=rule&document=candidate');
      expect(next.items).toContainEqual(expect.objectContaining({ rule: 'required', path: '/age', requests: 1 }));
      const readRules = async () => {
        const events = await gateway.admin('/v1/events?type=operation.invalid_call');
        const { items } = (await events.json()) as { items: { data: { rule: string } }[] };
        return items.map(({ data }) => data.rule).toSorted();
      };
      await until(async () => (await readRules()).length === 3);
      expect(await readRules()).toEqual(['not_json', 'required', 'type']);
      const metrics = await (await gateway.admin('/metrics')).text();
      expect(metrics).toContain('tollgate_validation_violations_total{upstream="pets",mode="report"} 2');
    });

    test('an operation that the next version lacks is counted as refusing every request', async () => {
      await gateway.call('/free', { method: 'POST', body: '{}', headers: json });
      await until(async () => (await readViolations(gateway, 'document=candidate', 'free')).items.length === 1);
      const { items } = await readViolations(gateway, 'by=rule&document=candidate', 'free');
      expect(items).toMatchObject([{ rule: 'operation_removed' }]);
      expect((await readViolations(gateway, '', 'free')).items).toEqual([]);
    });

    test('a slow body is forwarded as it arrives', async () => {
      const connection = new RawConnection(gateway.url).send(head(key, 'Transfer-Encoding: chunked'));
      const before = firstBytes;
      connection.send('5\r\n{"nam\r\n');
      if (_name === 'HTTP') await until(() => firstBytes > before);
      connection.send(chunked('e":1}'));
      expect((await connection.readResponse()).body).toContain('{"nam');
      connection.close();
    });
  });
});

test('an invalid value of x-tollgate-validation is rejected at the start', async () => {
  const invalid = join(folder, 'invalid.yaml');
  const document = petDocument(petSchema, { '/x': { get: { 'x-tollgate-validation': 'maybe', responses } } });
  writeFileSync(invalid, stringify(document));
  await expect(startGatewayWithUpstreams([{ name: 'pets', openapi: invalid, targets: [service.url] }])).rejects.toThrow(
    'must be one of off, report, enforce',
  );
});

test('enforce refuses a document that cannot be checked, and the error names the place of the fault', async () => {
  const unusable = join(folder, 'unusable.json');
  const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a)\\1$' } } };
  writeFileSync(unusable, JSON.stringify(petDocument(schema), null, 1));
  const upstream = { name: 'pets', openapi: unusable, targets: [service.url] };
  await expect(startGatewayWithUpstreams([{ ...upstream, validation: 'enforce' }])).rejects.toThrow(
    /unusable\.json:\d+.*pattern/,
  );
  const gateway = await startGatewayWithUpstreams([{ ...upstream, validation: 'report' }]);
  expect((await gateway.call('/pets', { method: 'POST', body: '{}', headers: json })).status).toBe(200);
  // With `report`, the log names the operation at the start, and after each reload.
  const names = /unusable\.json:\d+.*addPet is not checked.*pattern/;
  expect(gateway.logs.join()).toMatch(names);
  const reload = await gateway.admin('/v1/config/reload', { method: 'POST' });
  expect(await reload.json()).toMatchObject({ warnings: [expect.stringMatching(names)] });
  await gateway.stop();
});
