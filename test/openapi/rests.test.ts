import { describe, expect, test } from '@jest/globals';
import { compileTemplate } from '../../src/openapi/path-template.ts';
import { createRouter } from '../../src/openapi/operation-router.ts';

/** A router for operations such as `GET /files/{path...}`, in which the dots mark a rest. */
function routerFor(...operations: string[]) {
  return createRouter(
    operations.map((text) => {
      const [method = '', marked = ''] = text.split(' ');
      return { text, operation: { method, path: marked.replace('...}', '}'), hasRest: marked.endsWith('...}') } };
    }),
  );
}

function winner(match: ReturnType<typeof routerFor>, method: string, path: string): string {
  const result = match(method, path);
  if (result.kind === 'no_method') return `allow ${result.allow}`;
  return result.kind === 'operation' ? (result.route.text.split(' ')[1] ?? '') : result.kind;
}

test.each([
  // A literal takes precedence over a rest.
  ['/a/b', '/a/{r...}', '/a/b', '/a/b'],
  ['/a/b/c', '/a/{r...}', '/a/b/c', '/a/b/c'],
  ['/a/b/c', '/a/{r...}', '/a/b/d', '/a/{r...}'],
  ['/a/b/c', '/a/{r...}', '/a/b', '/a/{r...}'],
  ['/a/b', '/a/{r...}', '/a/bc', '/a/{r...}'],
  ['/a/b', '/a/{r...}', '/a/b/', '/a/{r...}'],
  ['/a/b/', '/a/{r...}', '/a/b/', '/a/b/'],
  ['/a/b/', '/a/{r...}', '/a/b', '/a/{r...}'],
  ['/a', '/{r...}', '/a', '/a'],
  ['/', '/{r...}', '/', '/'],
  ['/', '/{r...}', '/a', '/{r...}'],
  ['/a*', '/{r...}', '/a*', '/a*'],
  ['/a*', '/{r...}', '/ab', '/{r...}'],
  // A parameter takes precedence over a rest.
  ['/a/{x}', '/a/{r...}', '/a/b', '/a/{x}'],
  ['/a/{x}', '/a/{r...}', '/a/b/c', '/a/{r...}'],
  ['/a/{x}', '/a/{r...}', '/a/b/', '/a/{r...}'],
  ['/a/{x}/', '/a/{r...}', '/a/b/', '/a/{x}/'],
  ['/a/{x}/', '/a/{r...}', '/a/b/c/', '/a/{r...}'],
  ['/a/{x}/b', '/a/{r...}', '/a/1/b', '/a/{x}/b'],
  ['/a/{x}/b', '/a/{r...}', '/a/1/c', '/a/{r...}'],
  ['/a/{x}/{y}', '/a/{r...}', '/a/1/2', '/a/{x}/{y}'],
  ['/a/{x}/{y}', '/a/{r...}', '/a/1/', '/a/{r...}'],
  ['/a/{x}/{y}', '/a/{r...}', '/a/1/2/3', '/a/{r...}'],
  ['/a/{x}.json', '/a/{r...}', '/a/b.json', '/a/{x}.json'],
  ['/a/{x}.json', '/a/{r...}', '/a/b.yaml', '/a/{r...}'],
  ['/a/{x}.json', '/a/{r...}', '/a/b/c.json', '/a/{r...}'],
  ['/a/v{x}', '/a/{r...}', '/a/v1', '/a/v{x}'],
  ['/a/v{x}', '/a/{r...}', '/a/v', '/a/{r...}'],
  ['/a/v{x}', '/a/{r...}', '/a/v1/2', '/a/{r...}'],
  ['/a/{x}-{y}', '/a/{r...}', '/a/1-2', '/a/{x}-{y}'],
  ['/a/{x}-{y}', '/a/{r...}', '/a/1-', '/a/{r...}'],
  // Between two rests, the first segment that differs decides.
  ['/a/b/{r...}', '/a/{s...}', '/a/b/c', '/a/b/{r...}'],
  ['/a/b/{r...}', '/a/{s...}', '/a/b', '/a/{s...}'],
  ['/a/b/{r...}', '/a/{s...}', '/a/b/', '/a/{s...}'],
  ['/a/b/{r...}', '/a/{s...}', '/a/b/c/', '/a/b/{r...}'],
  ['/a/{x}/{r...}', '/a/{s...}', '/a/1/2', '/a/{x}/{r...}'],
  ['/a/{x}/{r...}', '/a/{s...}', '/a/1', '/a/{s...}'],
  ['/a/{x}/{r...}', '/a/{s...}', '/a/1/', '/a/{s...}'],
  ['/a/{x}/{r...}', '/a/b/{s...}', '/a/b/c/d', '/a/b/{s...}'],
  ['/{x}/b/{r...}', '/a/{s...}', '/a/b/c', '/a/{s...}'],
  ['/{x}/b/c', '/a/{r...}', '/a/b/c', '/a/{r...}'],
  ['/{x}/b/c', '/{r...}', '/a/b/c', '/{x}/b/c'],
  ['/{x}/', '/a/{r...}', '/a/', '/{x}/'],
  ['/{x}/', '/{r...}', '/a/b/', '/{r...}'],
])('with the templates %s and %s in either order, the path %s matches %s', (one, other, path, expected) => {
  for (const [first, second] of [
    [one, other],
    [other, one],
  ]) {
    expect(winner(routerFor(`GET ${first}`, `GET ${second}`), 'GET', path)).toBe(expected);
    // Precedence does not matter for a method that only the other template has.
    const loser = expected === one ? other : one;
    const alone = winner(routerFor(`GET ${loser}`), 'GET', path);
    expect(winner(routerFor(`PUT ${expected}`, `GET ${loser}`), 'GET', path)).toBe(
      alone === 'no_path' ? 'allow PUT' : alone,
    );
  }
});

describe('a parameter that takes the rest of a path', () => {
  const match = routerFor('GET /a/{r...}', 'GET /b/{x}/{y}', 'GET /b/{x}/{r...}', 'PUT /b/{x}/{r...}');

  test.each([
    ['GET', '/a', 'no_path'],
    ['GET', '/a/', 'no_path'],
    ['HEAD', '/a/', 'no_path'],
    ['GET', '/b/1/', 'no_path'],
    ['GET', '/a/b', '/a/{r...}'],
    ['HEAD', '/a/b/c', '/a/{r...}'],
    ['DELETE', '/a/b/c', 'allow GET, HEAD'],
    ['DELETE', '/b/1/2/3/', 'allow GET, HEAD, PUT'],
    ['GET', '/b/1/2', '/b/{x}/{y}'],
    ['PUT', '/b/1/2', '/b/{x}/{r...}'],
  ])('matches at least one character: %s %s is %s', (method, path, expected) => {
    expect(winner(match, method, path)).toBe(expected);
  });

  test.each([
    ['/a/b', ['b']],
    ['/a/b/c', ['b/c']],
    ['/a/b/', ['b/']],
    ['/b/1/2/3/', ['1', '2/3/']],
  ])('has the value of all segments of %s', (path, values) => {
    expect(match('GET', path)).toMatchObject({ kind: 'operation', values });
  });

  test('may be as long as the longest path', () => {
    expect(winner(match, 'GET', `/a/${'b/'.repeat(8000)}c`)).toBe('/a/{r...}');
  });

  test.each([
    ['/v2/{path}', '/v2/a%20b/c%3Fd'],
    ['/v2/{path}?x={x}#{path}', '/v2/a%20b/c%3Fd?x=1#a%20b%2Fc%3Fd'],
    ['/v2/{path}/raw', '/v2/a%20b%2Fc%3Fd/raw'],
    ['/v2/v{path}', '/v2/va%20b%2Fc%3Fd'],
    ['/v2?path={path}', '/v2?path=a%20b%2Fc%3Fd'],
    ['/v2?path=/{path}', '/v2?path=/a%20b%2Fc%3Fd'],
    ['/v2/{x}', '/v2/1'],
  ])('keeps its slashes in the successor %s only if it is the last segment', (successor, expected) => {
    const found = routerFor('GET /f/{x}/{path...}')('GET', '/f/1/a%20b/c%3Fd');
    if (found.kind !== 'operation') throw new Error(found.kind);
    expect(compileTemplate(successor, '/f/{x}/{path}', true)(found.values)).toBe(expected);
  });
});
