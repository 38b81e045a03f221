import { describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import findMyWay from 'find-my-way';
import type { Operation } from '../../src/openapi/openapi.ts';
import { compileTemplate, normalizeEscapes, templateFault } from '../../src/openapi/path-template.ts';
import { createRouter, prepareRouter } from '../../src/openapi/operation-router.ts';
import { withEveryPause } from '../support/every-pause.ts';

function routerFor(...operations: string[]) {
  return createRouter(
    operations.map((text) => {
      const [method = '', path = ''] = text.split(' ');
      return { operation: { method, path } as Operation };
    }),
  );
}

/** Finds the template that a path matches, or the reason why there is none. */
function findTemplate(match: ReturnType<typeof routerFor>, method: string, path: string): string {
  const result = match(method, path);
  if (result.kind === 'no_method') return `allow ${result.allow}`;
  return result.kind === 'operation' ? result.route.operation.path : result.kind;
}

test.each([
  ['/files/v', '/files/{name}'],
  ['/files/v1', '/files/v{version}'],
  ['/files/w', '/files/{name}'],
  ['/files/', '/{any}/'],
  ['/range/1-', '/range/{all}'],
  ['/range/1-2', '/range/{from}-{to}'],
  ['/range/-2', '/range/{all}'],
  ['/shelves/', '/{any}/'],
  ['/shelves/a', '/shelves/{name}'],
  ['/other/', '/{any}/'],
])('the path %s does not match a template that would leave a parameter empty, but %s', (path, template) => {
  const match = routerFor(
    'GET /files/{name}',
    'GET /files/v{version}',
    'GET /range/{from}-{to}',
    'GET /range/{all}',
    'GET /shelves/{name}',
    'GET /{any}/',
  );
  expect(findTemplate(match, 'GET', path)).toBe(template);
});

describe('the router', () => {
  const match = routerFor(
    'GET /pets',
    'POST /pets',
    'GET /pets/{id}',
    'GET /pets/mine',
    'GET /pets/{id}/photos/{photo}',
    'GET /files/{name}.json',
    'GET /range/{from}-{to}',
    'GET /v1/items:search',
    'GET /a*b',
    'GET /odd/(x)',
    'GET /caf%C3%A9',
    'GET /naïve',
  );

  test.each([
    ['GET', '/pets', '/pets'],
    ['HEAD', '/pets', '/pets'],
    ['GET', '/pets/1', '/pets/{id}'],
    ['GET', '/pets/mine', '/pets/mine'],
    ['GET', '/pets/1/photos/2', '/pets/{id}/photos/{photo}'],
    ['GET', '/files/a.json', '/files/{name}.json'],
    ['GET', '/range/1-2', '/range/{from}-{to}'],
    ['GET', '/v1/items:search', '/v1/items:search'],
    ['GET', '/v1/itemsXsearch', 'no_path'],
    ['GET', '/a*b', '/a*b'],
    ['GET', '/aXb', 'no_path'],
    ['GET', '/odd/(x)', '/odd/(x)'],
    ['GET', '/odd/x', 'no_path'],
    ['GET', '/caf%C3%A9', '/caf%C3%A9'],
    ['GET', '/na%C3%AFve', '/naïve'],
    ['GET', '/Pets', 'no_path'],
    ['GET', '/pets/', 'no_path'],
    ['DELETE', '/pets', 'allow GET, HEAD, POST'],
    ['PATCH', '/pets/1', 'allow GET, HEAD'],
    ['TRACE', '/pets', 'allow GET, HEAD, POST'],
    ['QUERY', '/nowhere', 'no_path'],
  ])('finds for %s %s: %s', (method, path, expected) => {
    expect(findTemplate(match, method, path)).toBe(expected);
  });

  test.each([
    ['/a/1b', '/a/{x}b'],
    ['/a/1c', '/a/{x}c'],
    ['/a/b', 'no_path'],
    ['/a/1', 'no_path'],
    ['/b_c', '/{x}_{y}'],
    ['/b_', 'no_path'],
    ['/__c', '/{x}_{y}'],
    ['/v2', '/v{x}'],
    ['/2.tar.gz', '/{x}.tar.gz'],
    ['/d:e', '/{x}:{y}'],
    ['/in/1!', '/in/{x/y}!'],
  ])('finds for %s, whose segment has literals around parameters: %s', (path, expected) => {
    const surrounded = routerFor(
      'GET /a/{x}b',
      'GET /a/{x}c',
      'GET /{x}_{y}',
      'GET /v{x}',
      'GET /{x}.tar.gz',
      'GET /{x}:{y}',
      'GET /in/{x/y}!',
    );
    expect(findTemplate(surrounded, 'GET', path)).toBe(expected);
  });

  test('matches a segment that can be divided without an empty parameter', () => {
    const literal = fc.stringMatching(/^[a.-]{1,2}$/);
    const segment = fc.tuple(fc.array(literal, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.boolean());
    const sent = fc.stringMatching(/^[abc.-]{1,12}$/);
    fc.assert(
      fc.property(segment, sent, ([literals, isFirst, isLast], value) => {
        const parts = ['', ...literals, ''].flatMap((each, index) => (index === 0 ? [each] : [index, each]));
        if (isFirst) parts.splice(0, 2);
        if (isLast) parts.splice(-2);
        const template = parts.map((part) => (typeof part === 'number' ? `{p${part}}` : part)).join('');
        const pattern = parts.map((part) => (typeof part === 'number' ? '.+' : RegExp.escape(part))).join('');
        const expected = new RegExp(`^${pattern}$`).test(value) ? `/${template}` : 'no_path';
        expect(findTemplate(routerFor(`GET /${template}`), 'GET', `/${value}`)).toBe(expected);
      }),
    );
  });

  /** Trying every division of the segment would take practically forever. */
  test('refuses a path that almost matches many parameters in a segment, without trying every division', () => {
    const names = Array.from({ length: 20 }, (_, index) => `{p${index}}`);
    const match = routerFor(`GET /${names.join('-')}!`, `GET /${names.join('.')}!`, `GET /${names.join('and')}!`);
    for (const value of ['-', '.', 'and', '-.', 'x-', 'xand']) {
      expect(findTemplate(match, 'GET', `/${value.repeat(4000)}`)).toBe('no_path');
    }
  });

  test('matches a parameter as long as the longest path', () => {
    expect(findTemplate(match, 'GET', `/pets/${'9'.repeat(15_000)}`)).toBe('/pets/{id}');
  });

  test('returns values that can be inserted into another template by name, percent-encoded', () => {
    const result = match('GET', '/pets/a%2Cb%20%25/photos/x:y');
    if (result.kind !== 'operation') throw new Error(result.kind);
    const fill = compileTemplate('/photos?of={id}&photo={photo}', result.route.operation.path, false);
    expect(fill(result.values)).toBe('/photos?of=a%2Cb%20%25&photo=x%3Ay');
  });
});

test.each([
  ['/p%65ts/%7Euser', '/pets/~user'],
  ['/a%2fb%c3%a9', '/a%2Fb%C3%A9'],
  ['/%3A', '/%3A'],
])('the normal form of the path %s is %s', (path, expected) => {
  expect(normalizeEscapes(path)).toBe(expected);
});

test.each([
  ['pets', 'must start with /'],
  ['/{a', 'has unbalanced braces'],
  ['/{a}{b}', 'has two parameters with nothing between'],
  ['/{}', 'has a parameter without a name'],
  ['/{a}/{a}', 'has two parameters with the same name'],
  [
    '/a?b',
    'has the character ?, which is not allowed in a path: describe the query as parameters of the operation instead',
  ],
  [
    '/{a}?',
    'has the character ?, which is not allowed in a path: describe the query as parameters of the operation instead',
  ],
  ['/a#b', 'has the character #, which is not allowed in a path: remove what follows it'],
  ['/\u202ea', 'must not contain the invisible character U+202E'],
])('the template %s is rejected, because it %s', (template, fault) => {
  expect(templateFault(template)).toContain(fault);
});

test('many routes are prepared in turns, without blocking other work', async () => {
  const routes = Array.from({ length: 1000 }, (_, index) => ({ operation: { method: 'GET', path: `/r${index}` } }));
  const { turns } = await withEveryPause(() => prepareRouter(routes));
  expect(turns).toBeGreaterThanOrEqual(routes.length);
  const add = jest.spyOn((findMyWay as unknown as { prototype: { on: () => unknown } }).prototype, 'on');
  expect(createRouter(routes)('GET', '/r999')).toMatchObject({ kind: 'operation', route: routes[999] });
  expect(add).not.toHaveBeenCalled();
  add.mockRestore();
});
