/**
 * The attack: a path parameter that takes the rest of a path (a rest) also accepts encoded slashes. The decoded text
 * must not reach the service unchecked, or make the service run another operation than the one that the gateway found.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../support/raw.ts';
import { startRecorder, type Recorder } from '../../support/services/recorder.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const operation = (operationId: string, rest: string | null = null, more: object = {}) => ({
  operationId,
  responses: { 200: { description: 'ok' } },
  ...(rest === null ? {} : { parameters: [{ name: rest, in: 'path', required: true, 'x-multi-segment': true }] }),
  ...more,
});

/** Paths of GitHub's document, with its `x-multi-segment` marks. */
const github = {
  '/repos/{owner}/{repo}/contents/{path}': {
    get: operation('repos/get-content', 'path'),
    put: operation('repos/create-or-update-file-contents', 'path'),
  },
  '/repos/{owner}/{repo}/commits/{ref}': { get: operation('repos/get-commit', 'ref') },
  '/repos/{owner}/{repo}/commits/{ref}/status': { get: operation('repos/get-combined-status-for-ref', 'ref') },
  '/repos/{owner}/{repo}/git/ref/{ref}': { get: operation('git/get-ref', 'ref') },
};
const more = {
  '/two/{x}': { get: operation('one') },
  '/two/{y}': { get: operation('several', 'y'), put: operation('putSeveral', 'y') },
  '/two/{x}/open': { get: operation('open', null, { security: [] }) },
  '/old/{path}': { get: operation('old', 'path', { 'x-successor': '/repos/a/b/contents/{path}' }) },
  '/{any}': { post: operation('any', 'any') },
};
const passing = { '/packages/{name}/files/{path}': { get: operation('packageFile', 'path') } };

const ECHO = `export default {
  create: () => ({ handler: (req, res) => res.end(JSON.stringify({ url: req.url, originalUrl: req.originalUrl })) }),
};`;

let recorder: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  recorder = await startRecorder();
  const folder = temporaryDirectory();
  const write = (name: string, paths: object) => {
    const file = join(folder, name);
    writeFileSync(file, stringify({ openapi: '3.1.0', info: { title: name, version: '1' }, paths }));
    return file;
  };
  const module = join(folder, 'echo.mjs');
  writeFileSync(module, ECHO);
  const targets = [recorder.url];
  gateway = await startGatewayWithUpstreams([
    { name: 'github', openapi: write('github.yaml', github), targets },
    { name: 'inside', openapi: write('inside.yaml', github), module, prefix: '/inside', idPrefix: 'inside.' },
    { name: 'more', openapi: write('more.yaml', more), targets },
    { name: 'passing', openapi: write('passing.yaml', passing), targets, encodedSlashes: 'pass' },
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await recorder.close();
});

/** @returns the operation and the path that the service received, or the reason why the request was refused */
async function send(target: string, method = 'GET'): Promise<string> {
  const connection = new RawConnection(gateway.url);
  connection.send(
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nConnection: close\r\n\r\n`,
  );
  await connection.closed();
  connection.close();
  const [seen] = recorder.take();
  const [, echoed] = /"url":"([^"]*)","originalUrl":"\1"/.exec(connection.received) ?? [];
  const path = seen?.url ?? echoed;
  if (path === undefined) return /"message":"([^"]*)"/.exec(connection.received)?.[1] ?? connection.received;
  const [, requestId] = /x-request-id: (\S+)/i.exec(connection.received) ?? [];
  const lines = gateway.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
  return `${String(lines.find((line) => line['requestId'] === requestId)?.['operation'])} ${path}`;
}

const SLASH = 'The path has an encoded slash or backslash.';

describe.each([
  ['an HTTP service', '', ''],
  ['a module', '/inside', 'inside.'],
])('in a path to %s', (_, prefix, idPrefix) => {
  test.each([
    ['GET', '/repos/a/b/contents/README.md', 'repos/get-content /repos/a/b/contents/README.md'],
    [
      'GET',
      '/repos/a/b/contents/src/lib/index.ts?ref=main',
      'repos/get-content /repos/a/b/contents/src/lib/index.ts?ref=main',
    ],
    [
      'GET',
      '/repos/a/b/contents/src%2flib%2Findex.ts?x=a%2Fb',
      'repos/get-content /repos/a/b/contents/src/lib/index.ts?x=a%2Fb',
    ],
    [
      'PUT',
      '/repos/a/b/contents/src%2Flib/a%20b.ts',
      'repos/create-or-update-file-contents /repos/a/b/contents/src/lib/a%20b.ts',
    ],
    ['GET', '/repos/a/b/contents/src/', 'repos/get-content /repos/a/b/contents/src/'],
    ['GET', '/repos/a/b/contents/src%2F', 'repos/get-content /repos/a/b/contents/src/'],
    ['GET', '/repos/a/b/git/ref/heads%2Fmain', 'git/get-ref /repos/a/b/git/ref/heads/main'],
    ['GET', '/repos/a/b/commits/main/status', 'repos/get-combined-status-for-ref /repos/a/b/commits/main/status'],
    ['GET', '/repos/a/b/contents/a%252Fb', 'repos/get-content /repos/a/b/contents/a%252Fb'],
    ['HEAD', '/repos/a/b/git/ref/heads%2Fmain', 'git/get-ref /repos/a/b/git/ref/heads/main'],
  ])(
    'a parameter that takes the rest of the path gets its slashes: %s %s reaches %s',
    async (method, target, expected) => {
      // A response to HEAD has no body, in which the module could report the path.
      if (method === 'HEAD' && prefix !== '') return;
      expect(await send(prefix + target, method)).toBe(idPrefix + expected);
    },
  );

  test.each([
    ['/repos/a%2Fb/contents/x', SLASH],
    ['/repos/a/b%2Fc/contents/x', SLASH],
    ['/repos/a/b%2Fc/contents/x%2Fy', SLASH],
    ['/repos/a/b/contents%2Fx', SLASH],
    ['/repos/a/b/commits/feature%2Fx/status', SLASH],
    // With a slash, it is another operation, because a parameter takes precedence.
    ['/repos/a/b/commits/main%2Fstatus', SLASH],
    ['/repos/a/b/contents/%2F', 'The path has an empty segment.'],
    ['/repos/a/b/contents/%2Fx', 'The path has an empty segment.'],
    ['/repos/a/b/contents/x%2F%2Fy', 'The path has an empty segment.'],
    ['/repos/a/b/contents/x/%2Fy', 'The path has an empty segment.'],
    ['/repos/a/b/contents/x%2F/y', 'The path has an empty segment.'],
  ])(
    'an encoded slash is treated as a slash in a rest parameter and refused elsewhere: %s',
    async (target, expected) => {
      expect(await send(prefix + target)).toBe(expected);
    },
  );

  const refusals = [
    ['..', 'The path has a dot segment.'],
    ['.', 'The path has a dot segment.'],
    ['%2e%2E', 'The path has a dot segment.'],
    ['.%2e', 'The path has a dot segment.'],
    ['..;a=b', 'The path has a dot segment.'],
    ['..%3Ba', 'The path has a dot segment.'],
    ['', 'The path has an empty segment.'],
    ['%00', 'The path has an encoded control character.'],
    ['%0a', 'The path has an encoded control character.'],
    ['%C2%85', 'The path has an encoded control character.'],
    ['%5c', SLASH],
    ['%ff', 'The path has percent-encoded bytes that are not UTF-8.'],
    ['%c0%ae', 'The path has percent-encoded bytes that are not UTF-8.'],
    ['%g0', 'The path has a % that is not part of a percent-encoding.'],
    ['"', 'The path has a character that must be percent-encoded.'],
    ['\\', 'The path has a character that must be percent-encoded.'],
  ] as const;
  test.each(refusals)('the segment %j is refused anywhere in a rest parameter', async (segment, message) => {
    for (const slash of ['/', '%2F', '%2f']) {
      for (let at = 0; at < 3; at++) {
        const segments = ['x', 'y', 'z'].with(at, segment);
        // An empty last segment is a trailing slash, which is also allowed without a rest.
        const isAllowed = segment === '' && at === 2;
        const sent = await send(`${prefix}/repos/a/b/contents/${segments.join(slash)}`);
        if (isAllowed) expect(sent).toBe(`${idPrefix}repos/get-content /repos/a/b/contents/${segments.join('/')}`);
        else expect({ at, slash, sent }).toEqual({ at, slash, sent: message });
      }
    }
  });
});

test('if templates differ only in the rest mark, the parameter without it takes one segment, and the rest takes several', async () => {
  expect(await send('/two/a')).toBe('one /two/a');
  expect(await send('/two/a/b')).toBe('several /two/a/b');
  expect(await send('/two/a', 'PUT')).toBe('putSeveral /two/a');
  expect(await send('/two/a%2Fb', 'PUT')).toBe('putSeveral /two/a/b');
  // The parameter takes precedence, and an encoded slash is refused in it.
  expect(await send('/two/a%2Fb')).toBe(SLASH);
  expect(await send('/two/a/b%2Fc')).toBe('several /two/a/b/c');
  // A rest is not empty either, so the next template is tried.
  expect(await send('/two/', 'POST')).toBe('any /two/');
});

test('an encoded slash never bypasses an operation that takes precedence', async () => {
  expect(await send('/two/a/open')).toBe('open /two/a/open');
  expect(await send('/two/a%2Fopen')).toBe(SLASH);
});

/** Some frameworks, such as Express, treat `/two/a/` like `/two/a`. */
test('a trailing slash never bypasses an operation that takes precedence', async () => {
  const message = 'Without the slash at its end, the path matches another operation. Remove the slash.';
  for (const path of ['/two/a/', '/two/a%2F', '/two/a/open/', '/two/a/open%2F', '/repos/a/b/commits/main/status/']) {
    expect(await send(path)).toBe(path === '/two/a%2F' ? SLASH : message);
  }
  expect(await send('/two/a/b/')).toBe('several /two/a/b/');
});

test('a rest is refused if, without the text after a semicolon, it is empty or matches another operation', async () => {
  const message = /^Without the part after the semicolon, the path matches another operation/;
  for (const path of ['/repos/a/b/contents/;a', '/two/a/;b', '/two/a%3Bc/;b', '/two/a/;x%2Fopen']) {
    expect(await send(path)).toMatch(message);
  }
  expect(await send('/two/a/b;c%2Fopen')).toBe('several /two/a/b;c/open');
});

test('an encoded slash reaches no path of the gateway itself', async () => {
  expect(await send('/a%2Fb', 'POST')).toBe('any /a/b');
  expect(await send('/_gateway%2Fkey%2Frevoke', 'POST')).toBe(SLASH);
  expect(await send('/.well-known%2Fapi-catalog', 'POST')).toBe(SLASH);
});

test('if a service accepts encoded slashes, those in a rest are still decoded to slashes', async () => {
  expect(await send('/packages/@acme%2Fui/files/src%2Fa.js')).toBe('packageFile /packages/@acme%2Fui/files/src/a.js');
  expect(await send('/packages/@acme%2Fui/files/src/a.js')).toBe('packageFile /packages/@acme%2Fui/files/src/a.js');
  expect(await send('/packages/@acme%2Fui/files/src%2F%2Fa.js')).toBe('The path has an empty segment.');
  expect(await send('/packages/..%2Fui/files/src%2Fa.js')).toBe('The path has a dot segment.');
});

test('the link to the successor keeps the slashes of the rest', async () => {
  const headers = { 'X-API-Key': gateway.demoKey };
  for (const path of ['/old/src/a%20b', '/old/src%2Fa%20b']) {
    const { headers: received } = await fetch(gateway.url + path, { headers });
    expect(received.get('link')).toBe('</repos/a/b/contents/src/a%20b>; rel="successor-version"');
  }
  recorder.take();
});
