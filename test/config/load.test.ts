import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/config/faults.ts';
import { root } from '../support/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;

beforeEach(() => {
  folder = tempFolder();
  write('plans.yaml', 'plans: [{ id: free, name: Free, limits: { minute: 60, day: 1000 } }]');
  write('api.yaml', 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: { /a: { get: {} } }\n');
});
afterEach(() => folder.remove());

const minimal = 'upstreams: [{ name: a, openapi: api.yaml, targets: [http://127.0.0.1:9001] }]\n';

function write(name: string, text: string): void {
  mkdirSync(folder.path, { recursive: true });
  writeFileSync(join(folder.path, name), text);
}

function load(text: string, env: Record<string, string> = {}) {
  write('gateway.yaml', text);
  return loadConfig({ TOLLGATE_CONFIG: 'gateway.yaml', ...env }, folder.path);
}

/** The faults, without the folder they were made in. */
function faultsOf(text: string, env: Record<string, string> = {}): string[] {
  try {
    load(text, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fault.replaceAll(`${folder.path}/`, ''));
    throw error;
  }
  return [];
}

test('the shipped configuration has no faults, and shows the defaults', () => {
  const shipped = loadConfig({}, root);
  const defaults = load(minimal);
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) {
    if (['file', 'dataDir', 'store', 'plans', 'upstreams', 'demo'].includes(name)) continue;
    expect({ [name]: shipped[name] }).toEqual({ [name]: defaults[name] });
  }
  expect(shipped.demo).toBe(true);
  expect(shipped.plans.map(({ id, limits }) => [id, limits])).toEqual([
    ['free', { minute: 60, day: 1000 }],
    ['pro', { minute: 300, day: 10000 }],
    ['business', { minute: 1000, day: 100000 }],
    ['enterprise', null],
  ]);
});

test('durations are milliseconds, sizes bytes, paths absolute', () => {
  const config = load(`${minimal}bans: { within: 2m }\nedge: { maxBody: 2kb }\nstore: sqlite:keys.db\n`, {
    TOLLGATE_DATA_DIR: 'state',
  });
  expect(config.bans).toEqual({
    strikes: 10,
    within: 120_000,
    grace: 1000,
    durations: [60_000, 300_000, 900_000, 3_600_000],
    forgiveAfter: 86_400_000,
  });
  expect(config.edge.maxBody).toBe(2048);
  expect(config.store).toEqual({ kind: 'sqlite', file: join(folder.path, 'state/keys.db') });
});

test('all faults are told at once, each with file, line, path and what to do', () => {
  const text = [
    'demo: perhaps', // 1
    'colour: red', // 2
    'bans:', // 3
    '  within: 5', // 4
    'edge: { maxBody: large }', // 5
    'upstreams:', // 6
    '  - name: a', // 7
    '    openapi: nowhere.yaml', // 8
    '    targets: [ftp://somewhere]', // 9
  ].join('\n');
  expect(faultsOf(text, { TOLLGATE_PORT: '99999' })).toEqual([
    'environment: TOLLGATE_PORT must be a port, 0 to 65535',
    'gateway.yaml:1: demo must be true or false',
    'gateway.yaml:9: upstreams[0].targets[0] must be an http:// or https:// URL without query, fragment or user',
    'gateway.yaml:4: bans.within must be a duration above zero, such as 10s, 5m, 24h or 30d, with its unit; it is 5',
    'gateway.yaml:5: edge.maxBody must be a size such as 512b, 16kb or 1mb, at least 1b, with its unit; it is "large"',
    'gateway.yaml:2: colour is not a setting: check its spelling, or remove it',
    'nowhere.yaml: cannot be read (ENOENT): check the path and its permissions',
  ]);
});

describe('each fault is told', () => {
  test.each([
    ['an upstream of no kind', 'upstreams: [{ name: a, openapi: api.yaml }]', /upstreams\[0\] must have either module/],
    ['no upstream', 'upstreams: []', /upstreams must name at least one upstream/],
    ['a missing list', 'demo: true', /upstreams must be a list of upstreams/],
    ['a nested unknown key', `${minimal}guard: { failedAttempt: 1 }`, /guard.failedAttempt is not a setting/],
    [
      'a bad range',
      `${minimal}trustedProxies: [10.0.0.0/99]`,
      /trustedProxies\[0\] must be an IP address or a CIDR range/,
    ],
    ['a bad origin', `${minimal}cors: { origins: [example.com] }`, /cors.origins\[0\] must be an origin such as/],
    ['a bad store', `${minimal}store: mysql:x`, /store must be sqlite:FILE, redis:/],
    [
      'a header that no request can do without',
      `${minimal}edge: { dropHeaders: [X-Mine, Content-*] }`,
      /edge.dropHeaders\[1\] must not be dropped/,
    ],
    ['broken YAML', 'a: [', /gateway.yaml:1: is not valid YAML/],
    ['a key twice', 'demo: true\ndemo: false', /gateway.yaml:2: is not valid YAML: Map keys must be unique/],
    [
      'a variable that is not set',
      `${minimal}store: \${NOWHERE}`,
      /store names the variable NOWHERE, which is not set/,
    ],
    [
      'a duration that no timer can wait for',
      `${minimal}guard: { within: 25d }`,
      /guard.within must be a duration above zero/,
    ],
    ['a ban of nothing', `${minimal}bans: { durations: [0s] }`, /bans.durations\[0\] must be a duration above zero/],
    ['no room for a body', `${minimal}edge: { maxBody: 0b }`, /edge.maxBody must be a size/],
    [
      'a head slower than its request',
      `${minimal}edge: { headersTimeout: 60s }`,
      /edge.headersTimeout must not be above/,
    ],
    ['headers without the trio', `${minimal}rateLimitHeaders: [ietf]`, /rateLimitHeaders must name x/],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(text).join('\n')).toMatch(fault);
  });

  test.each([
    [
      'limits below one',
      '{ id: a, name: A, limits: { minute: 0, day: 1 } }',
      /plans\[0\].limits.minute must be a positive/,
    ],
    [
      'minute above day',
      '{ id: a, name: A, limits: { minute: 2, day: 1 } }',
      /limits the minute limit must not be above/,
    ],
    ['neither limits nor custom', '{ id: a, name: A }', /plans\[0\].limits must be given, unless the plan is custom/],
    ['a bad mode', '{ id: a, name: A, custom: true, mode: off }', /plans\[0\].mode must be one of enforce, shadow/],
  ])('in the plans: %s', (_, plan, fault) => {
    write('plans.yaml', `plans:\n  - ${plan}\n`);
    expect(faultsOf(minimal).join('\n')).toMatch(fault);
    expect(faultsOf(minimal).join('\n')).toMatch(/^plans.yaml:2: /);
  });

  test('in the documents, also where the configuration itself has faults', () => {
    write('api.yaml', 'openapi: 3.1.0\npaths:\n  /a:\n    get:\n      x-sunset: soon\n      deprecated: true\n');
    expect(faultsOf(`${minimal}colour: red`)).toEqual([
      'gateway.yaml:2: colour is not a setting: check its spelling, or remove it',
      expect.stringMatching(/^api.yaml:5: GET \/a x-sunset must be a date such as/),
    ]);
  });
});

test('variables win over the file; empty ones count as not set; misspelt ones are faults', () => {
  const config = load(`${minimal}store: sqlite:a.db\n`, { TOLLGATE_STORE: 'sqlite:b.db', TOLLGATE_PORT: '' });
  expect(config.store).toMatchObject({ file: expect.stringMatching(/b\.db$/) });
  expect(config.port).toBe(8080);
  expect(faultsOf(minimal, { TOLLGATE_PROT: '1' })).toEqual([
    'environment: TOLLGATE_PROT is not a variable of Tollgate: check its spelling, or unset it',
  ]);
});

test('what Kubernetes sets for a service of our name is no misspelt setting', () => {
  expect(
    faultsOf(minimal, { TOLLGATE_SERVICE_HOST: '10.0.0.1', TOLLGATE_PORT_8080_TCP: 'tcp://10.0.0.1:8080' }),
  ).toEqual([]);
});

test("a document cannot claim what is the gateway's own", () => {
  write('api.yaml', 'openapi: 3.1.0\npaths: { /_gateway/usage: { get: {} } }\n');
  expect(faultsOf(minimal)).toEqual([expect.stringMatching(/GET \/_gateway\/usage is below \/_gateway\//)]);
});

test('a configuration that is not there is the one fault', () => {
  expect(() => loadConfig({ TOLLGATE_CONFIG: 'nowhere.yaml' }, folder.path)).toThrow(
    /has 1 fault:\n {2}\S*nowhere.yaml: cannot be read/,
  );
});

test('${NAME} is taken from the environment', () => {
  const text =
    'upstreams: [{ name: a, openapi: api.yaml, targets: ["http://${HOST}:1"], headers: { X-Secret: "${SECRET}" } }]';
  const [upstream] = load(text, { HOST: '127.0.0.1', SECRET: 's' }).upstreams;
  expect(upstream).toMatchObject({ targets: ['http://127.0.0.1:1'], headers: { 'X-Secret': 's' } });
});

test('a shared store needs the admin token to be given', () => {
  const env = { TOLLGATE_STORE: 'redis://127.0.0.1:6379' };
  expect(faultsOf(minimal, env)).toEqual([expect.stringMatching(/TOLLGATE_ADMIN_TOKEN is missing/)]);
  expect(load(minimal, { ...env, TOLLGATE_ADMIN_TOKEN: 't' }).store).toEqual({
    kind: 'redis',
    url: env.TOLLGATE_STORE,
  });
});

test('an operation that two upstreams claim is a fault, unless a prefix tells them apart', () => {
  const two = (prefix: string) =>
    `upstreams:\n  - { name: a, openapi: api.yaml, targets: [http://a] }\n  - { name: b, openapi: other.yaml, targets: [http://b]${prefix} }\n`;
  write('other.yaml', 'openapi: 3.0.3\npaths:\n  /a:\n    get: {}\n');
  expect(faultsOf(two(''))).toEqual([
    expect.stringMatching(/^other.yaml:4: GET \/a is claimed twice, also at .*api.yaml:3/),
  ]);
  expect(faultsOf(two(', prefix: /b'))).toEqual([]);
});

test('headers for an upstream that no request could carry are faults', () => {
  const upstreams = (headers: string) =>
    `upstreams: [{ name: a, openapi: api.yaml, targets: [http://127.0.0.1:9001], headers: ${headers} }]\n`;
  expect(faultsOf(upstreams('{ X-Secret: abc }'))).toEqual([]);
  expect(faultsOf(upstreams('{ Transfer-Encoding: chunked, "a b": c, X-Long: "ä" }'))).toEqual([
    expect.stringMatching(/^gateway\.yaml:1: upstreams\[0\]\.headers\.X-Long must be printable ASCII/),
    expect.stringMatching(/^gateway\.yaml:1: upstreams\[0\]\.headers\.Transfer-Encoding is no header that can be set/),
    expect.stringMatching(/^gateway\.yaml:1: upstreams\[0\]\.headers\.a b is no header that can be set/),
  ]);
});
