/**
 * The attack: a path is encoded so that the gateway finds an operation with a lax policy (no key, low cost), while the
 * service behind it decodes, normalizes or truncates the path and runs another operation.
 *
 * Paths are generated from everything that servers are known to normalize. Each path that reaches the service is read
 * again in the most careless way, which must lead to the operation whose policy was applied.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../support/raw.ts';
import { startRecorder, type Recorder } from '../../support/services/recorder.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const operation = (operationId: string, more: object = {}) => ({
  get: { operationId, responses: { 200: { description: 'ok' } }, ...more },
});
const paths = {
  '/open': operation('open', { security: [] }),
  '/open/{name}': operation('openNamed', { security: [] }),
  '/secret': operation('secret'),
  '/secret/{name}': operation('secretNamed'),
  '/secret/keys': operation('secretKeys', { 'x-tollgate-cost': 50 }),
  '/a:b/{id}': operation('colon'),
  '/{any}': operation('any'),
  '/open/tree/keys': operation('treeKeys'),
  '/open/tree/{x}/keys': operation('treeNodeKeys'),
  '/open/tree/{path}': operation('openTree', {
    security: [],
    parameters: [{ name: 'path', in: 'path', required: true, 'x-multi-segment': true }],
  }),
};

let recorder: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  recorder = await startRecorder();
  const openapi = join(temporaryDirectory(), 'paths.yaml');
  writeFileSync(openapi, stringify({ openapi: '3.1.0', info: { title: 'Paths', version: '1' }, paths }));
  const passing = join(temporaryDirectory(), 'passing.yaml');
  writeFileSync(passing, stringify({ openapi: '3.1.0', paths: { '/packages/{name}/readme': operation('readme') } }));
  const upstreams = [
    { name: 'paths', openapi, targets: [recorder.url] },
    { name: 'passing', openapi: passing, targets: [recorder.url], encodedSlashes: 'pass' as const },
  ];
  gateway = await startGatewayWithUpstreams(upstreams, {
    guard: { publicRequests: 1_000_000, failedAttempts: 1_000_000 },
  });
});
afterAll(async () => {
  await gateway.stop();
  await recorder.close();
});

/**
 * Reads a path like a careless service: drops parameters, decodes, merges slashes and backslashes, and resolves dots.
 */
function readCarelessly(path: string): string {
  const decoded = decodeURIComponent(path.replace(/;[^/]*/g, ''))
    .replaceAll('\\', '/')
    .replace(/\0.*/s, '');
  const segments: string[] = [];
  for (const segment of decoded.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

function findOperation(path: string): string | undefined {
  const exact = paths[path as keyof typeof paths];
  if (exact !== undefined) return exact.get.operationId;
  const template = Object.keys(paths).find((each) => {
    const pattern = each.replace('{path}', '.+').replace(/\{[^}]*\}/, '[^/]+');
    return each.includes('{') && new RegExp(`^${pattern}$`).test(path);
  });
  return paths[template as keyof typeof paths]?.get.operationId;
}

const word = fc.constantFrom('open', 'secret', 'keys', 'a:b', 'x', 'OPEN', 'é');
/** Generates spellings of a character, plain or percent-encoded. */
const encode = (character: string) => {
  const hex = Buffer.from(character).toString('hex').replace(/../g, '%$&');
  return fc.constantFrom(character, character, character, hex, hex.toUpperCase());
};
const encoded = word.chain((text) => fc.tuple(...Array.from(text, encode)).map((parts) => parts.join('')));
const odd = fc.constantFrom(
  ...'. .. %2e %2E%2e .%2e ..; ; ;a=b %00 %2f %5c \\ %252e%252e %c0%ae * :any {any} % %g0 %ff # ? %3f %23 %09 %0a ~ "'.split(
    ' ',
  ),
  '',
  ' ',
  '\t',
  '..%2fsecret',
);
const segment = fc.oneof(
  { weight: 4, arbitrary: encoded },
  { weight: 1, arbitrary: odd },
  fc.tuple(encoded, odd).map((parts) => parts.join('')),
);
const separator = fc.oneof(
  { weight: 9, arbitrary: fc.constant('/') },
  fc.constantFrom('//', '\\', '%2f', '%5C', '/./', '/;/'),
);
const path = fc
  .array(fc.tuple(separator, segment), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.flat().join(''))
  .filter((text) => !/[\r\n]/.test(text));

/** Paths below a rest, and below the operations that take precedence over it. */
const belowRest = path.map((text) => `/open/tree${text}`);

test('no encoding of a path reaches an operation under the policy of another operation', async () => {
  const reached = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(path, path, belowRest), { minLength: 30, maxLength: 30 }),
      fc.boolean(),
      async (candidates, withKey) => {
        const logged = gateway.logs.length;
        for (const candidate of candidates) {
          const connection = new RawConnection(gateway.url);
          const key = withKey ? `X-API-Key: ${gateway.demoKey}\r\n` : '';
          connection.send(
            `GET ${Buffer.from(candidate).toString('latin1')} HTTP/1.1\r\nHost: x\r\n${key}Connection: close\r\n\r\n`,
          );
          await connection.closed();
          connection.close();
        }
        const lines = gateway.logs.slice(logged).map((line) => JSON.parse(line) as Record<string, unknown>);
        for (const { url, rawHeaders } of recorder.take()) {
          const id = rawHeaders[rawHeaders.findIndex((name) => name.toLowerCase() === 'x-request-id') + 1];
          const applied = lines.find(({ requestId }) => requestId === id)?.['operation'] as string | undefined;
          const run = findOperation(readCarelessly(url.split('?', 1)[0] ?? ''));
          expect({ url, run }).toEqual({ url, run: applied });
          if (!withKey) expect({ url, run: run?.startsWith('open') }).toEqual({ url, run: true });
          reached.add(run);
        }
      },
    ),
    { numRuns: 200, seed: 20261121 },
  );
  // There were enough valid paths to reach every operation.
  expect(reached).toEqual(
    new Set([
      'open',
      'openNamed',
      'secret',
      'secretNamed',
      'secretKeys',
      'colon',
      'any',
      'openTree',
      'treeKeys',
      'treeNodeKeys',
    ]),
  );
});

test('encoded slashes reach only upstreams that accept them, and never as part of a dot segment', async () => {
  async function send(target: string): Promise<string> {
    const connection = new RawConnection(gateway.url);
    connection.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nConnection: close\r\n\r\n`);
    await connection.closed();
    connection.close();
    const [seen] = recorder.take();
    return seen?.url ?? /"message":"([^"]*)"/.exec(connection.received)?.[1] ?? connection.received;
  }
  expect(await send('/packages/@acme%2fui/readme')).toBe('/packages/@acme%2Fui/readme');
  expect(await send('/packages/https%3A%2F%2Fexample.com/readme')).toBe('/packages/https%3A%2F%2Fexample.com/readme');
  expect(await send('/packages/a%2f..%2fb/readme')).toBe('The path has a dot segment.');
  expect(await send('/packages/%2e%2e%2fb/readme')).toBe('The path has a dot segment.');
  expect(await send('/packages/a%5cb/readme')).toBe('The path has an encoded slash or backslash.');
  expect(await send('/open/a%2Fb')).toBe('The path has an encoded slash or backslash.');
  expect(await send('/packages%2Fa/readme')).toBe('The path has an encoded slash or backslash.');
});
