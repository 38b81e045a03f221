import { expect, test } from '@jest/globals';
import { Faults } from '../../src/base/configuration-faults.ts';
import { parseYaml } from '../../src/base/yaml.ts';
import { readServerPaths, serverPathWarning } from '../../src/openapi/server-paths.ts';

const paths = (...servers: unknown[]) =>
  readServerPaths(parseYaml('a.json', JSON.stringify({ servers }), new Faults())!);
const at = (...urls: string[]) => paths(...urls.map((url) => ({ url })));

test('the paths of servers are read with their variables replaced', () => {
  const variables = { version: { default: 'v2' } };
  expect(
    paths({ url: 'https://a.example/v1/' }, { url: '/{version}/api', variables }, { url: '/' }, { url: 1 }, null),
  ).toMatchObject([{ path: '/v1', place: 'a.json:1' }, { path: '/v2/api' }, { path: '' }]);
  expect(readServerPaths(parseYaml('a.yaml', 'servers: a', new Faults())!)).toEqual([]);
});

test.each([
  ['there are no servers', [], {}],
  ['a server has no path', ['https://a.example/v1', 'http://localhost'], {}],
  ['the prefix has it', ['/v1'], { prefix: '/v1' }],
  ['the prefix ends with it', ['/v1'], { prefix: '/pets/v1' }],
  ['a target has it', ['/v1'], { targets: ['http://a.example', 'http://b.example/v1/'] }],
])('there is no warning if %s', (_, servers, settings) => {
  expect(serverPathWarning(at(...servers), { name: 'pets', ...settings })).toBeNull();
});

test('a server path that neither the prefix nor a target has is reported, and the warning names what to set', () => {
  const warning = serverPathWarning(at('https://a.example/v1'), { name: 'pets', targets: ['http://b.example/'] });
  expect(warning).toBe(
    'a.json:1: the path /v1 in servers is ignored, and upstream pets has it in neither prefix nor targets: ' +
      'if the service expects it, set targets: [http://b.example/v1]; if only consumers expect it, set prefix: /v1',
  );
  // A Unix socket has no path other than its own.
  const atSocket = serverPathWarning(at('/app.sock'), { name: 'pets', targets: ['unix:/run/app.sock'] });
  expect(atSocket).toMatch(/nor targets: if only consumers expect it, set prefix: \/app\.sock$/);
  // A module has no targets that could have a path.
  expect(serverPathWarning(at('/v1'), { name: 'pets' })).toMatch(
    /nor targets: if only consumers expect it, set prefix: \/v1$/,
  );
});
