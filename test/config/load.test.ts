import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/base/configuration-faults.ts';
import { root } from '../support/gateway/gateway.ts';
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

/** Lists the errors of a configuration, with paths relative to its folder. */
function findFaults(text: string, env: Record<string, string> = {}): string[] {
  try {
    load(text, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fault.replaceAll(`${folder.path}/`, ''));
    throw error;
  }
  return [];
}

test('the shipped configuration is valid, and its values are the defaults', () => {
  const { fixed, live } = loadConfig({}, root);
  const defaults = load(minimal);
  for (const name of Object.keys(defaults.fixed) as (keyof typeof fixed)[]) {
    if (['file', 'dataDir', 'database', 'demo', 'portal', 'settings'].includes(name)) continue;
    expect({ [name]: fixed[name] }).toEqual({ [name]: defaults.fixed[name] });
  }
  for (const name of Object.keys(defaults.live) as (keyof typeof live)[]) {
    if (['plans', 'upstreams', 'portal', 'settings'].includes(name)) continue;
    expect({ [name]: live[name] }).toEqual({ [name]: defaults.live[name] });
  }
  expect(fixed.demo).toBe(true);
  expect(fixed.portal).toEqual({ ...defaults.fixed.portal, enabled: true });
  expect(live.portal).toEqual({ ...defaults.live.portal, public: true, requestablePlans: ['pro'] });
  expect(live.plans.map(({ id, limits }) => [id, limits])).toEqual([
    ['free', { minute: 60, day: 1000 }],
    ['pro', { minute: 300, day: 10000 }],
    ['business', { minute: 1000, day: 100000 }],
    ['enterprise', null],
  ]);
});

test.each(['- a', '[]', 'a', '42', ''])(
  'a configuration file with the content %j causes one error, because it is not a map',
  (text) => {
    expect(findFaults(text)).toEqual([expect.stringMatching(/^gateway\.yaml.*: must be a map$/)]);
  },
);

test('a path in the servers of a document causes a warning, unless the targets have the same path', () => {
  write('api.yaml', 'openapi: 3.1.0\nservers:\n  - url: https://a.example/v1\npaths: { /a: { get: {} } }\n');
  expect(load(minimal).live.warnings).toEqual([
    expect.stringMatching(/api\.yaml:3: the path \/v1 in servers is ignored/),
  ]);
  expect(load(minimal.replace('9001', '9001/v1')).live.warnings).toEqual([]);
});

test('durations are converted to milliseconds, sizes to bytes, and paths to absolute ones', () => {
  const { fixed, live } = load(`${minimal}bans: { within: 2m }\nedge: { maxBody: 2kb }\ndatabase: sqlite:keys.db\n`, {
    TOLLGATE_DATA_DIR: 'state',
  });
  expect(fixed.bans).toEqual({
    strikes: 10,
    within: 120_000,
    grace: 1000,
    patience: 30_000,
    durations: [60_000, 300_000, 900_000, 3_600_000],
    forgiveAfter: 86_400_000,
  });
  expect(live.edge.maxBody).toBe(2048);
  expect(fixed.database).toEqual({ kind: 'sqlite', file: join(folder.path, 'state/keys.db') });
  expect(fixed.store).toEqual({ kind: 'embedded' });
});

test('all errors are reported together, each with file, line, path and what to do', () => {
  const text = [
    'demo: perhaps', // 1
    'color: red', // 2
    'bans:', // 3
    '  within: 5', // 4
    'edge: { maxBody: large }', // 5
    'upstreams:', // 6
    '  - name: a', // 7
    '    openapi: nowhere.yaml', // 8
    '    targets: [ftp://somewhere]', // 9
  ].join('\n');
  expect(findFaults(text, { TOLLGATE_PORT: '99999' })).toEqual([
    'environment: TOLLGATE_PORT must be a port, 0 to 65535',
    'gateway.yaml:1: demo must be true or false',
    'gateway.yaml:9: upstreams[0].targets[0] must be an http:// or https:// URL without query, fragment or user',
    'gateway.yaml:4: bans.within must be a duration greater than zero, such as 10s, 5m, 24h or 30d, with a unit; got 5',
    'gateway.yaml:5: edge.maxBody must be a size such as 512b, 16kb or 1mb, at least 1b, with a unit; got "large"',
    'gateway.yaml:2: color is not a known setting: check the spelling, or remove it',
    'nowhere.yaml: cannot be read (ENOENT): check the path and its permissions',
  ]);
});

// All checks must run in spite of other errors. An unknown key or an error in a list must not hide the checks of whole
// sections (duplicate names, ranges, origins, tokens, plans). An error in the environment must not hide missing
// variables.
test('all errors of all kinds are reported together', () => {
  write(
    'plans.yaml',
    [
      'plans:', // 1
      '  - { id: free, name: Free, limits: { minute: 61, day: 60, hour: 1 }, color: red }', // 2
      '  - { id: free, name: "" }', // 3
      '  - { id: gold, name: Gold, custom: perhaps }', // 4
    ].join('\n'),
  );
  write('api.yaml', 'openapi: 3.1.0\npaths:\n  /a:\n    get:\n      x-sunset: soon\n      deprecated: true\n');
  const text = [
    'color: red', // 1
    'store: mysql:x', // 2
    'trustedProxies: [10.0.0.0/99]', // 3
    'cors: { origins: [example.com], headers: [] }', // 4
    'edge: { headersTimeout: 60s, patience: 1s }', // 5
    'rateLimitHeaders: [ietf, y]', // 6
    'adminTokens:', // 7
    '  - { name: alice, role: owner, token: plain }', // 8
    '  - { name: alice, role: admin, token: "${TOKEN}" }', // 9
    'upstreams:', // 10
    '  - { name: a, openapi: api.yaml, targets: [ftp://a], headers: { Host: a, X-Number: 1 } }', // 11
    '  - { name: a, openapi: nowhere.yaml }', // 12
    '  - { name: B, openapi: 1, module: 2 }', // 13
  ].join('\n');
  const env = { TOLLGATE_ADMIN_TOKEN: 'x', TOLLGATE_PORT: '99999', TOKEN: 'x' };
  const faults = findFaults(text, env).map((fault) => /^\S+ \S+ (?:\S+ ){2}/.exec(`${fault} `)?.[0].trim());
  const expected = [
    'environment: TOLLGATE_PORT must be',
    'environment: TOLLGATE_ADMIN_TOKEN must have',
    'gateway.yaml:1: color is not',
    'gateway.yaml:2: store must be',
    'gateway.yaml:3: trustedProxies[0] must be',
    'gateway.yaml:4: cors.headers is not',
    'gateway.yaml:4: cors.origins[0] must be',
    'gateway.yaml:5: edge.patience is not',
    'gateway.yaml:5: edge.headersTimeout must not',
    'gateway.yaml:6: rateLimitHeaders[1] must be',
    'gateway.yaml:6: rateLimitHeaders must include',
    'gateway.yaml:8: adminTokens[0].role must be',
    'gateway.yaml:8: adminTokens[0].token must be',
    'gateway.yaml:8: adminTokens[0].token must have',
    'gateway.yaml:9: adminTokens[1].name is used',
    'gateway.yaml:9: adminTokens[1].token is the',
    'gateway.yaml:9: adminTokens[1].token must have',
    'gateway.yaml:11: upstreams[0].headers.Host is not',
    'gateway.yaml:11: upstreams[0].headers.X-Number must be',
    'gateway.yaml:11: upstreams[0].targets[0] must be',
    'gateway.yaml:12: upstreams[1] must have',
    'gateway.yaml:12: upstreams[1].name is used',
    'gateway.yaml:13: upstreams[2].module must be',
    'gateway.yaml:13: upstreams[2].name must be',
    'gateway.yaml:13: upstreams[2].openapi must be',
    'plans.yaml:2: plans[0].color is not',
    'plans.yaml:2: plans[0].limits the minute',
    'plans.yaml:2: plans[0].limits.hour is not',
    'plans.yaml:3: plans[1].id is used',
    'plans.yaml:3: plans[1].limits is required',
    'plans.yaml:3: plans[1].name must not',
    'plans.yaml:4: plans[2].custom must be',
    'api.yaml:5: GET /a x-sunset',
    'nowhere.yaml: cannot be read',
  ];
  expect(new Set(faults)).toEqual(new Set(expected));
  expect(faults).toHaveLength(expected.length);
});

test('the error about a password that is not percent-encoded says so without showing it', () => {
  for (const password of ['pass/word', 'pass#word', 'pass?word', '100%word', 'a@b/word']) {
    const [fault = '', ...more] = findFaults(`${minimal}store: redis://user:${password}@127.0.0.1:6379`, {
      TOLLGATE_ADMIN_TOKEN: 't'.repeat(32),
    });
    expect(fault).toMatch(
      /^gateway.yaml:2: store has a user or password with reserved characters: percent-encode them/,
    );
    expect(fault).not.toContain('word@');
    expect(more).toEqual([]);
  }
});

test('an admin token that can be guessed or is an unresolved template is rejected', () => {
  const findTokenFaults = (token: string) => findFaults(minimal, { TOLLGATE_ADMIN_TOKEN: token });
  expect(findTokenFaults('x')).toEqual([
    'environment: TOLLGATE_ADMIN_TOKEN must have at least 32 characters, so that it cannot be guessed: create one with "openssl rand ' +
      '-hex 32"',
  ]);
  expect(findTokenFaults('${TOLLGATE_ADMIN_TOKEN_OF_THE_CLUSTER}')).toEqual([
    'environment: TOLLGATE_ADMIN_TOKEN contains ${…}: the variable was not replaced by its value',
  ]);
  expect(findTokenFaults('x'.repeat(32))).toEqual([]);
});

describe('an invalid configuration', () => {
  test.each([
    [
      'an upstream without module and targets',
      'upstreams: [{ name: a, openapi: api.yaml }]',
      /upstreams\[0\] must have exactly one of module/,
    ],
    ['no upstreams', 'upstreams: []', /upstreams must name at least one upstream/],
    [
      'no connections to targets',
      'upstreams: [{ name: a, openapi: api.yaml, targets: [http://a], maxConnections: 0 }]',
      /upstreams\[0\].maxConnections must be at least 1/,
    ],
    [
      'a password in a target, without a user',
      "upstreams: [{ name: a, openapi: api.yaml, targets: ['http://:secret@a'] }]",
      /upstreams\[0\]\.targets\[0\] must be an http.* user/,
    ],
    ...(
      [
        ['a relative path of a socket', 'targets: [unix:app.sock]', /targets\[0\] must be unix: and the absolute path/],
        ['a URL of a socket', 'targets: [unix:///run/app.sock]', /targets\[0\] must be unix: and the absolute path/],
        ['a long path of a socket', `targets: [unix:/${'a'.repeat(107)}]`, /has a path of more than 107 bytes/],
        ['a Host with a path', 'targets: [http://a], host: a/b', /host must be target, client, or a host such as/],
        ['the header Host', 'targets: [http://a], headers: { Host: a }', /headers\.Host .*: use the setting host/],
        [
          'a long wait',
          'targets: [http://a], timeouts: { wait: 16s }',
          /timeouts\.wait must be at most timeouts\.response, /,
        ],
        [
          'no age',
          'targets: [http://a], maxConnectionAge: 0s',
          /maxConnectionAge must be a duration greater than zero/,
        ],
        ['a large header', 'targets: [http://a], maxResponseHeader: 2mb', /maxResponseHeader must be at most 1mb/],
        ['a negative number of streams', 'targets: [http://a], maxStreams: -1', /maxStreams must not be negative/],
      ] as const
    ).map(([name, setting, message]): [string, string, RegExp] => [
      name,
      `upstreams: [{ name: a, openapi: api.yaml, ${setting} }]`,
      message,
    ]),
    ['a missing list', 'demo: true', /upstreams must be a list of upstreams/],
    [
      'a nested unknown key',
      `${minimal}guard: { failedAttempt: 1 }`,
      /guard.failedAttempt is not a known setting: did you mean failedAttempts\?/,
    ],
    [
      'a misspelled setting of an upstream',
      'upstreams: [{ name: a, openapi: api.yaml, targets: [http://a], helth: {} }]',
      /upstreams\[0\]\.helth is not a known setting: did you mean health\?/,
    ],
    [
      'a misspelled setting within one of an upstream',
      'upstreams: [{ name: a, openapi: api.yaml, targets: [http://a], timeouts: { respose: 1s } }]',
      /timeouts\.respose is not a known setting: did you mean response\?/,
    ],
    [
      'plans that are nowhere',
      `${minimal}plans: none.yaml`,
      /none\.yaml: does not exist\. It has the plans .*copy config\/plans\.yaml/,
    ],
    [
      'an invalid range',
      `${minimal}trustedProxies: [10.0.0.0/99]`,
      /trustedProxies\[0\] must be an IP address or a CIDR range/,
    ],
    ...['010.0.0.7', '1', '10.0.0.0/08', '10.0.0.0/255.0.0.0', 'loopback'].map((range): [string, string, RegExp] => [
      `the range ${range}`,
      `${minimal}trustedProxies: ['${range}']`,
      /trustedProxies\[0\] must be an IP address or a CIDR range/,
    ]),
    ['an invalid private range', `${minimal}events: { allowPrivate: [intern] }`, /events\.allowPrivate.* must be/],
    [
      'a word for private addresses',
      `${minimal}events: { allowPrivate: all }`,
      /events\.allowPrivate must be true, false, or a list of ranges/,
    ],
    ['an invalid port', `${minimal}events: { ports: [0] }`, /events\.ports\[0\] must be a port/],
    ['no ports', `${minimal}events: { ports: [] }`, /events\.ports must have at least one port/],
    ['an invalid origin', `${minimal}cors: { origins: [example.com] }`, /cors.origins\[0\] must be an origin such as/],
    [
      'an exposed header that is no name',
      `${minimal}cors: { expose: [ETag, 'X-*'] }`,
      /cors.expose\[1\] must be the name of a header such as Location, or "\*"/,
    ],
    ['an exposed cookie', `${minimal}cors: { expose: [set-cookie] }`, /cors.expose\[0\] must not be Set-Cookie/],
    [
      'keys without a prefix beside tokens of services',
      `${minimal}keys: { foreign: [{ header: authorization, scheme: BEARER }] }`,
      /keys.foreign\[0\].prefix is missing: Authorization: Bearer also has tokens of services/,
    ],
    [
      'keys in a header that has another meaning',
      `${minimal}keys: { foreign: [{ header: X-Request-ID }] }`,
      /keys.foreign\[0\].header must be a header that is used for keys only/,
    ],
    [
      'keys that would be too long',
      `${minimal}keys: { foreign: [{ header: apikey, minLength: 300 }] }`,
      /keys.foreign\[0\].minLength must not be greater than maxLength \(256 if/,
    ],
    [
      'a maximum below the minimum',
      `${minimal}keys: { foreign: [{ header: apikey, prefix: sk_, maxLength: 20 }] }`,
      /keys.foreign\[0\].minLength must not be greater than maxLength/,
    ],
    [
      'keys that anyone can guess',
      `${minimal}keys: { foreign: [{ header: apikey, maxLength: 8 }] }`,
      /keys.foreign\[0\].maxLength must be a whole number of at least 16/,
    ],
    ['an invalid database', `${minimal}database: mysql:x`, /database must be sqlite:FILE, or postgres:/],
    ['a database without a name', `${minimal}database: postgres://host`, /database must be sqlite:FILE, or postgres:/],
    ['an invalid password', `${minimal}database: postgres://a:b%@host/c`, /reserved characters percent-encoded/],
    ['Redis for records', `${minimal}database: redis://host`, /database names Redis, .* use .*postgres:/],
    ['an invalid store', `${minimal}store: mysql:x`, /store must be embedded, redis:/],
    [
      'the version 1 location of records',
      `${minimal}store: sqlite:a.db`,
      /store is a database URL: set it as database, and/,
    ],
    [
      'a header that requests need',
      `${minimal}edge: { dropHeaders: [X-Mine, Content-*] }`,
      /edge.dropHeaders\[1\] must not be dropped/,
    ],
    ['broken YAML', 'a: [', /gateway.yaml:1: is not valid YAML/],
    ['a duplicate key', 'demo: true\ndemo: false', /gateway.yaml:2: is not valid YAML: the key demo appears twice/],
    ['an unset variable', `${minimal}store: \${NOWHERE}`, /store names the variable NOWHERE, which is not set/],
    [
      'a duration longer than any timer',
      `${minimal}guard: { within: 25d }`,
      /guard.within must be a duration greater than zero/,
    ],
    [
      'a shorter retention of events than of deliveries',
      `${minimal}events: { keep: 6d }`,
      /events.keep must be at least 7d/,
    ],
    [
      'a ban of zero length',
      `${minimal}bans: { durations: [0s] }`,
      /bans.durations\[0\] must be a duration greater than zero/,
    ],
    ['a body limit of zero', `${minimal}edge: { maxBody: 0b }`, /edge.maxBody must be a size/],
    [
      'a longer limit for headers than for the request',
      `${minimal}edge: { headersTimeout: 60s }`,
      /edge.headersTimeout must not be greater than/,
    ],
    [
      'a text with a bidirectional control character',
      `${minimal}portal: { title: "A\u202eB" }`,
      /^gateway.yaml:2: portal.title must not contain the invisible character U\+202E, which changes the order/,
    ],
    [
      'a lone surrogate',
      `${minimal}adminTokens: [{ name: "a\\ud83d", role: viewer, token: '\${T}' }]`,
      /adminTokens\[0\].name must not contain half of a character/,
    ],
    ['rate-limit headers without x', `${minimal}rateLimitHeaders: [ietf]`, /rateLimitHeaders must include x/],
  ])('is rejected: %s', (_, text, fault) => {
    expect(findFaults(text).join('\n')).toMatch(fault);
  });

  test.each([
    [
      'limits below one',
      '{ id: a, name: A, limits: { minute: 0, day: 1 } }',
      /plans\[0\].limits.minute must be a positive/,
    ],
    [
      'day above month',
      '{ id: a, name: A, limits: { minute: 1, day: 3, month: 2 } }',
      /limits the day limit \(3\) must not be greater than the month limit \(2\)/,
    ],
    [
      'minute above day',
      '{ id: a, name: A, limits: { minute: 2, day: 1 } }',
      /limits the minute limit \(2\) must not be greater than/,
    ],
    ['neither limits nor custom', '{ id: a, name: A }', /plans\[0\].limits is required unless the plan is custom/],
    [
      'a plan name with a bidirectional control character',
      '{ id: a, name: "A\u2067", custom: true }',
      /plans\[0\].name must not .* U\+2067/,
    ],
    [
      'an invalid mode',
      '{ id: a, name: A, custom: true, mode: off }',
      /plans\[0\].mode must be one of enforce, shadow/,
    ],
  ])('is rejected if a plan has an error: %s', (_, plan, fault) => {
    write('plans.yaml', `plans:\n  - ${plan}\n`);
    expect(findFaults(minimal).join('\n')).toMatch(fault);
    expect(findFaults(minimal).join('\n')).toMatch(/^plans.yaml:2: /);
  });

  test('causes errors about its documents as well', () => {
    write('api.yaml', 'openapi: 3.1.0\npaths:\n  /a:\n    get:\n      x-sunset: soon\n      deprecated: true\n');
    expect(findFaults(`${minimal}color: red`)).toEqual([
      'gateway.yaml:2: color is not a known setting: check the spelling, or remove it',
      expect.stringMatching(/^api.yaml:5: GET \/a x-sunset must be a date such as/),
    ]);
  });
});

// A reload once refused a document with 3,000 errors, and the log line was dropped because it was too long.
test('the error message lists at most 200 errors', () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `api.yaml:${at}: wrong`);
  const { message, faults } = new ConfigError(lines);
  expect(message.split('\n')).toHaveLength(202);
  expect(message).toMatch(/^the configuration has 3000 errors:\n {2}api\.yaml:0: wrong\n/);
  expect(message).toMatch(/\n {2}api\.yaml:199: wrong\n {2}and 2800 more, which are listed once these are fixed$/);
  expect(faults).toEqual(lines);
});

test('an operation with more than 100 tags is rejected', () => {
  const tags = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => `tag${index}`));
  const document = (count: number) => `openapi: 3.1.0\npaths:\n  /a:\n    get:\n      tags: ${tags(count)}\n`;
  write('api.yaml', document(100));
  expect(findFaults(minimal)).toEqual([]);
  write('api.yaml', document(101));
  expect(findFaults(minimal)).toEqual(['api.yaml:5: GET /a tags has more than 100 tags: remove some']);
});

// Thousands of operations can share the tag, responses or schemes of a path item. Each operation once had its own copy
// in memory, or in a document.
test('an operation with a long tag, or with more than 100 responses or security schemes, is rejected', () => {
  const document = (tag: number, responses: number, schemes: number) =>
    JSON.stringify({
      openapi: '3.1.0',
      security: Array.from({ length: schemes }, () => ({ a: [] })),
      paths: {
        '/a': {
          get: {
            tags: ['x'.repeat(tag)],
            security: [Object.fromEntries(Array.from({ length: schemes }, (_, at) => [`a${at}`, []]))],
            responses: Object.fromEntries(Array.from({ length: responses }, (_, at) => [`x-${at}`, {}])),
          },
        },
      },
    });
  write('api.yaml', document(200, 100, 100));
  expect(findFaults(minimal)).toEqual([]);
  write('api.yaml', document(201, 101, 101));
  expect(findFaults(minimal)).toEqual([
    'api.yaml:1: security names more than 100 schemes: remove some',
    'api.yaml:1: GET /a responses has more than 100 responses: use ranges such as 4XX',
    'api.yaml:1: GET /a security names more than 100 schemes: remove some',
    'api.yaml:1: GET /a tags has a tag of more than 200 characters: shorten it',
  ]);
});

test('a document with more than 500 paths that have a parameter and other text in one segment is rejected', () => {
  const document = (count: number) => {
    // There are two levels: each item of the first level refers to all items of the second.
    const paths = Array.from(
      { length: count },
      (_, index) => `  /a/{x}-${index % 20}/{y}-${index}: { get: {} }\n`,
    ).join('');
    return `openapi: 3.1.0\npaths:\n${paths}  /b/{x}/y: { get: {} }\n`;
  };
  write('api.yaml', document(480));
  expect(findFaults(minimal)).toEqual([]);
  write('api.yaml', document(482));
  expect(findFaults(minimal)).toEqual([
    'api.yaml:483: GET /a/{x}-0/{y}-480 is one more than 500 paths with a parameter and other text in one segment, such as ' +
      '{name}.json: divide such segments, or the document',
  ]);
});

test('environment variables override the file, unless they are empty, and misspelled ones are rejected', () => {
  const { fixed } = load(`${minimal}database: sqlite:a.db\n`, { TOLLGATE_DATABASE: 'sqlite:b.db', TOLLGATE_PORT: '' });
  expect(fixed.database).toMatchObject({ file: expect.stringMatching(/b\.db$/) });
  expect(fixed.port).toBe(8080);
  expect(findFaults(minimal, { TOLLGATE_PROT: '1' })).toEqual([
    'environment: TOLLGATE_PROT is not a Tollgate variable: check the spelling, or unset it',
  ]);
});

test('each unset variable in a value is reported', () => {
  const faults = findFaults(`${minimal}database: postgres://\${A}:\${B}@db/tollgate\n`);
  expect(faults.map((fault) => /variable \w/.exec(fault)?.[0])).toEqual(['variable A', 'variable B']);
});

test('two listeners on the same port are rejected, but the portal counts only if it is enabled', () => {
  const ports = { TOLLGATE_PORT: '18080', TOLLGATE_ADMIN_PORT: '18080', TOLLGATE_PORTAL_PORT: '18080' };
  const shared = (name: string) =>
    `environment: ${name} is 18080, as is TOLLGATE_PORT: give each listener its own port`;
  expect(findFaults(minimal, ports)).toEqual([shared('TOLLGATE_ADMIN_PORT')]);
  const portal = `${minimal}portal: { enabled: true }\n`;
  expect(findFaults(portal, ports)).toEqual([shared('TOLLGATE_ADMIN_PORT'), shared('TOLLGATE_PORTAL_PORT')]);
  const wide = { ...ports, TOLLGATE_HOST: '0.0.0.0', TOLLGATE_ADMIN_HOST: '127.0.0.2' };
  expect(findFaults(minimal, wide)).toEqual([shared('TOLLGATE_ADMIN_PORT')]);
  expect(findFaults(minimal, { ...wide, TOLLGATE_HOST: '127.0.0.1' })).toEqual([]);
  expect(findFaults(portal, { TOLLGATE_PORT: '0', TOLLGATE_ADMIN_PORT: '0', TOLLGATE_PORTAL_PORT: '0' })).toEqual([]);
});

test('variables that Kubernetes sets for a service named tollgate are ignored', () => {
  expect(
    findFaults(minimal, { TOLLGATE_SERVICE_HOST: '10.0.0.1', TOLLGATE_PORT_8080_TCP: 'tcp://10.0.0.1:8080' }),
  ).toEqual([]);
});

test("a document that defines one of the gateway's own paths is rejected", () => {
  write('api.yaml', 'openapi: 3.1.0\npaths: { /_gateway/usage: { get: {} } }\n');
  expect(findFaults(minimal)).toEqual([expect.stringMatching(/GET \/_gateway\/usage is under \/_gateway\//)]);
  write('api.yaml', 'openapi: 3.1.0\npaths: { /%5Fgateway/usage: { get: {} } }\n');
  expect(findFaults(minimal)).toEqual([expect.stringMatching(/GET \/%5Fgateway\/usage is under \/_gateway\//)]);
});

test('if the configuration file is missing, no other error is reported', () => {
  expect(() => loadConfig({ TOLLGATE_CONFIG: 'nowhere.yaml' }, folder.path)).toThrow(
    /has 1 error:\n {2}\S*nowhere.yaml: cannot be read/,
  );
});

test('${NAME} is replaced by the environment variable', () => {
  const text =
    'upstreams: [{ name: a, openapi: api.yaml, targets: ["http://${HOST}:1"], headers: { X-Secret: "${SECRET}" } }]';
  const [upstream] = load(text, { HOST: '127.0.0.1', SECRET: 's' }).live.upstreams;
  expect(upstream?.service).toMatchObject({ targets: ['http://127.0.0.1:1'], headers: { 'X-Secret': 's' } });
});

test('PostgreSQL requires an admin token in the environment, and counters in Redis', () => {
  const token = { TOLLGATE_ADMIN_TOKEN: 'a-token-of-thirty-two-characters' };
  const shared = { TOLLGATE_DATABASE: 'postgres://host/tollgate', TOLLGATE_STORE: 'redis://host' };
  expect(findFaults(minimal, shared)).toEqual([expect.stringMatching(/TOLLGATE_ADMIN_TOKEN is missing/)]);
  expect(load(minimal, { ...shared, ...token }).fixed).toMatchObject({
    database: { kind: 'postgres', url: shared.TOLLGATE_DATABASE },
    store: { kind: 'redis', url: shared.TOLLGATE_STORE },
  });
  expect(findFaults(`${minimal}database: postgres://host/tollgate\n`, token)).toEqual([
    expect.stringMatching(/store must be redis:.* share their counters$/),
  ]);
  expect(load(minimal, { TOLLGATE_STORE: 'redis://host' }).fixed.database.kind).toBe('sqlite');
});

// Such values cannot be converted to strings or compared, which once caused a stack trace.
test('objects that define toString in place of other values are rejected', () => {
  const odd = '{ toString: 1, valueOf: 2 }';
  write('plans.yaml', `plans: [{ id: ${odd}, name: ${odd}, limits: { minute: ${odd}, day: ${odd} } }]`);
  write('api.yaml', `openapi: ${odd}\npaths: ${odd}\nwebhooks: { a.b: {} }\n`);
  const config = [
    `upstreams: [{ name: ${odd}, openapi: api.yaml, targets: [${odd}] }]`,
    `edge: { headersTimeout: ${odd}, requestTimeout: ${odd} }`,
    `rateLimitHeaders: [${odd}]`,
    `adminTokens: [{ name: ${odd}, role: publisher, upstream: none, token: ${odd} }]`,
  ];
  expect(findFaults(config.join('\n')).length).toBeGreaterThan(10);
});

test.each(['constructor', 'toString', '__proto__'])('the variable in ${%s} is reported as not set', (name) => {
  expect(findFaults(`${minimal}store: \${${name}}`)).toEqual([
    expect.stringContaining(`store names the variable ${name}, which is not set`),
  ]);
});

test('the value of a variable can come from a file', () => {
  write('url', 'postgres://a:secret@host/tollgate\n');
  write('token', 'a-token-of-thirty-two-characters\n');
  write('target', 'http://127.0.0.1:7\n');
  const file = (name: string) => join(folder.path, name);
  const text = 'upstreams: [{ name: a, openapi: api.yaml, targets: ["${TARGET}"] }]\nstore: redis://host\n';
  const env = { TOLLGATE_DATABASE_FILE: file('url'), TOLLGATE_ADMIN_TOKEN_FILE: file('token') };
  expect(load(text, { ...env, TARGET_FILE: file('target') })).toMatchObject({
    fixed: { database: { kind: 'postgres', url: 'postgres://a:secret@host/tollgate' } },
    live: {
      adminToken: 'a-token-of-thirty-two-characters',
      upstreams: [{ service: { targets: ['http://127.0.0.1:7'] } }],
    },
  });
  // If the variable is set, it takes precedence over the file.
  expect(load(text, { ...env, TARGET: 'http://127.0.0.1:8', TARGET_FILE: 'none' }).live.upstreams).toMatchObject([
    { service: { targets: ['http://127.0.0.1:8'] } },
  ]);
  expect(findFaults(minimal, { TOLLGATE_DATABASE_FILE: file('none') })).toEqual([
    expect.stringMatching(/TOLLGATE_DATABASE_FILE names .*none, which cannot be read \(ENOENT\)/),
  ]);
});

test('an operation in two upstreams is rejected, unless a prefix separates them', () => {
  const two = (prefix: string) =>
    `upstreams:\n  - { name: a, openapi: api.yaml, targets: [http://a] }\n  - { name: b, openapi: other.yaml, targets: [http://b]${prefix} }\n`;
  write('other.yaml', 'openapi: 3.0.3\npaths:\n  /a:\n    get: {}\n');
  expect(findFaults(two(''))).toEqual([
    expect.stringMatching(/^other.yaml:4: GET \/a is defined twice \(also at .*api.yaml:3/),
  ]);
  expect(findFaults(two(', prefix: /b'))).toEqual([]);
});

test.each([
  ['/é', '/%c3%A9'],
  ['/a b', '/a%20b'],
  ['/a-b', '/a%2Db'],
  ['/{a}-b', '/{c}%2Db'],
])('the paths %s and %s are the same, so defining both is rejected', (one, other) => {
  write('api.yaml', `openapi: 3.1.0\npaths:\n  '${one}': { get: {} }\n  '${other}': { get: {} }\n`);
  expect(findFaults(minimal)).toEqual([expect.stringContaining('is defined twice')]);
});

test('paths that differ only in x-multi-segment can be in one document, but not in two', () => {
  const get = (name: string, mark: boolean) =>
    `{ get: { operationId: get-${name}, parameters: [{ name: ${name}, in: path, x-multi-segment: ${mark} }] } }`;
  const api = (...paths: string[]) => `openapi: 3.1.0\npaths:\n${paths.map((path) => `  ${path}\n`).join('')}`;
  write('api.yaml', api(`'/a/{x}': ${get('x', false)}`, `'/a/{y}': ${get('y', true)}`));
  expect(findFaults(minimal)).toEqual([]);
  write('api.yaml', api(`'/a/{x}': ${get('x', true)}`, `'/a/{y}': ${get('y', true)}`));
  expect(findFaults(minimal)).toEqual([expect.stringContaining('is defined twice')]);
  // The document for consumers can have only one of two paths that are equal.
  write('api.yaml', api(`'/a/{x}': ${get('x', false)}`));
  write('other.yaml', api(`'/a/{x}': ${get('x', true).replace('get-', 'other-')}`));
  const two = `upstreams:\n  - { name: a, openapi: api.yaml, targets: [http://a] }\n  - { name: b, openapi: other.yaml, targets: [http://b] }\n`;
  expect(findFaults(two)).toEqual([
    expect.stringMatching(/other\.yaml:3: GET \/a\/\{x\} differs from .*api\.yaml:3 only in x-multi-segment: give/),
  ]);
  write('api.yaml', api(`'/_gateway/{x}': ${get('x', true)}`));
  expect(findFaults(minimal)).toEqual([expect.stringContaining('is under /_gateway/, which is reserved')]);
});

/** Counts, callers and charts are stored by the id of the operation, so ids must be unique. */
test('two operations with the same id are rejected, in one document or in two, and the error names both', () => {
  const get = (path: string, id: string) => `  ${path}: { get: { operationId: ${id} } }\n`;
  write('api.yaml', `openapi: 3.1.0\npaths:\n${get('/a', 'readA')}`);
  write('other.yaml', `openapi: 3.1.0\npaths:\n${get('/a', 'readA')}${get('/c', 'readC')}${get('/d', 'readC')}`);
  const text =
    'upstreams:\n  - { name: a, openapi: api.yaml, targets: [http://a] }\n' +
    '  - { name: b, openapi: other.yaml, targets: [http://b], prefix: /b }\n';
  expect(findFaults(text)).toEqual([
    expect.stringMatching(
      /^other.yaml:3: GET \/b\/a has the operationId "readA", which .*api.yaml:3 also uses: give one of the upstreams an idPrefix, such as "shop\."$/,
    ),
    expect.stringMatching(
      /^other.yaml:5: GET \/b\/d has the operationId "readC", which .*other.yaml:4 also uses: rename one$/,
    ),
  ]);
  write('other.yaml', `openapi: 3.1.0\npaths:\n${get('/a', 'readA')}`);
  expect(findFaults(text)).toHaveLength(1);
  expect(findFaults(text.replace('/b }', "/b, idPrefix: 'b.' }"))).toEqual([]);
  expect(findFaults(text.replace('/b }', "/b, idPrefix: 'b *' }"))).toContainEqual(
    expect.stringMatching(/^gateway.yaml:3: upstreams\[1\].idPrefix must be 1 to 64 characters/),
  );
});

test('a document without paths is accepted if another document has some, and a URL in place of a file is rejected', () => {
  write('api.yaml', 'openapi: 3.1.0\npaths: { /a: { get: {} } }\n');
  write('other.yaml', 'openapi: 3.1.0\ncomponents: {}\n');
  const upstream = (name: string, file: string) => `  - { name: ${name}, openapi: ${file}, targets: [http://a] }\n`;
  expect(findFaults(`upstreams:\n${upstream('a', 'api.yaml')}${upstream('b', 'other.yaml')}`)).toEqual([]);
  expect(findFaults(`upstreams:\n${upstream('b', 'other.yaml')}`)).toEqual([
    'other.yaml: paths is missing, and no other upstream has paths: add some',
  ]);
  expect(findFaults(`upstreams:\n${upstream('b', 'https://example.com/api.yaml')}`)).toEqual([
    'gateway.yaml:2: upstreams[0].openapi is a URL: download the document, and use the path of the file',
  ]);
});

test('invalid headers for an upstream are rejected', () => {
  const upstreams = (headers: string) =>
    `upstreams: [{ name: a, openapi: api.yaml, targets: [http://127.0.0.1:9001], headers: ${headers} }]\n`;
  expect(findFaults(upstreams('{ X-Secret: abc }'))).toEqual([]);
  expect(findFaults(upstreams('{ Transfer-Encoding: chunked, "a b": c, X-Long: "ä" }'))).toEqual([
    expect.stringMatching(/^gateway\.yaml:1: upstreams\[0\]\.headers\.X-Long must be printable ASCII/),
    expect.stringMatching(
      /^gateway\.yaml:1: upstreams\[0\]\.headers\.Transfer-Encoding is not a header that can be set/,
    ),
    expect.stringMatching(/^gateway\.yaml:1: upstreams\[0\]\.headers\.a b is not a header that can be set/),
  ]);
});

test.each([
  ['{ quietFor: 30m }', /rotation\.quietFor must be at least 1h/],
  ['{ maxGrace: 366d }', /rotation\.maxGrace must be at most 365d/],
  ['{ quietFor: 31d }', /rotation\.quietFor must not be longer than rotation\.maxGrace/],
  ['{ quietFor: soon }', /rotation\.quietFor must be a duration/],
])('the rotation settings %s are rejected', (text, fault) => {
  expect(findFaults(`${minimal}rotation: ${text}\n`)).toEqual([expect.stringMatching(fault)]);
});
