import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { runCommand } from '../support/gateway/cli.ts';
import { root } from '../support/gateway/gateway.ts';
import { run } from '../support/gateway/process.ts';
import {
  ADMIN_TOKEN,
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../support/gateway/reloading-gateway.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('check', () => {
  test('the shipped configuration is valid, and its operations are listed', async () => {
    const { code, out, err } = await runCommand(['config', 'check'], { cwd: root });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^GET {5}\/pets\/\{petId\} +petstore deprecated$/m);
    expect(out.trimEnd().split('\n').at(-1)).toBe(`${join(root, 'config/gateway.yaml')} is valid.`);
  });

  test('brownouts and public operations are listed', async () => {
    const folder = temporaryDirectory();
    const write = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
    const brownouts = [{ from: '2026-12-01T10:00:00+01:00', to: '2026-12-01T09:30:00Z' }];
    const old = { security: [], deprecated: true, 'x-deprecated-at': '2026-11-01', 'x-brownouts': brownouts };
    const paths = { '/old': { get: old } };
    write('api.json', { openapi: '3.1.0', paths });
    write('gateway.yaml', {
      plans: join(root, 'config/plans.yaml'),
      upstreams: [{ name: 'a', openapi: 'api.json', targets: ['http://127.0.0.1:9'] }],
    });
    const { out } = await runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: join(folder, 'gateway.yaml') } });
    expect(out).toContain(' a public, deprecated, off 2026-12-01 09:00:00 to 2026-12-01 09:30:00\n');
  });

  test('the operations of a large document are only counted, unless --all is given', async () => {
    const folder = temporaryDirectory();
    const paths = Object.fromEntries(
      Array.from({ length: 101 }, (_, at) => [
        `/a${at}`,
        { get: { deprecated: at < 2, ...(at < 3 ? { security: [] } : {}) } },
      ]),
    );
    writeFileSync(join(folder, 'api.json'), JSON.stringify({ openapi: '3.1.0', paths }));
    const upstreams = [{ name: 'big', openapi: 'api.json', targets: ['http://127.0.0.1:9'] }];
    const file = join(folder, 'gateway.yaml');
    writeFileSync(file, JSON.stringify({ plans: join(root, 'config/plans.yaml'), upstreams }));
    const check = (...options: string[]) =>
      runCommand(['config', 'check', ...options], { env: { TOLLGATE_CONFIG: file } });
    const { out } = await check();
    expect(out).toMatch(
      /^big: 101 operations, 2 of them deprecated, 3 public \(--all lists them\)\nwarning: .+\n.+ is valid\.\n$/,
    );
    const listed = (await check('--all')).out;
    expect(listed.match(/^GET/gm)).toHaveLength(101);
  });

  test('settings that have less effect than expected cause warnings', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'api.json'), JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: {} } } }));
    const upstreams = [{ name: 'a', openapi: 'api.json', targets: ['http://127.0.0.1:9'] }];
    const file = join(folder, 'gateway.yaml');
    const check = async (settings: object) => {
      writeFileSync(file, stringify({ plans: join(root, 'config/plans.yaml'), upstreams, ...settings }));
      const { code, out } = await runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: file } });
      return [code, ...(out.match(/^warning: .*(?:keys|cors)\..*$/gm) ?? [])];
    };
    const foreign = [
      { header: 'X-Old-Key', prefix: 'old_' },
      { header: 'apikey', minLength: 32 },
    ];
    expect(await check({ keys: { foreign }, cors: { expose: ['ETag'] } })).toEqual([
      0,
      `warning: ${file}:11: keys.foreign[1] has no prefix, so its keys are not recognized in a query or cookie, which ` +
        'services receive unchanged. No service receives the header apikey',
      `warning: ${file}:15: cors.expose has no effect, because cors.origins is empty: name the origins that may call`,
    ]);
    expect(await check({ keys: { foreign: foreign.slice(0, 1) } })).toEqual([0]);
    expect(await check({ cors: { expose: ['ETag', '*'], origins: ['https://app.example.com'] } })).toEqual([0]);
  });

  test('enforced scopes are listed with their operations, and a warning is printed if enforcing them has no effect', async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'gateway.yaml');
    const check = async (security: object, settings: object) => {
      const paths = { '/a': { get: { security } }, '/b': { get: {} } };
      const components = { securitySchemes: { oauth: { type: 'oauth2' } } };
      writeFileSync(join(folder, 'api.json'), JSON.stringify({ openapi: '3.1.0', components, paths }));
      const upstreams = [{ name: 'a', openapi: 'api.json', targets: ['http://127.0.0.1:9'], scopes: 'enforce' }];
      writeFileSync(file, stringify({ plans: join(root, 'config/plans.yaml'), upstreams, ...settings }));
      const { code, out, err } = await runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: file } });
      return { code, err, lines: out.split('\n').filter((line) => /^GET|scopes/.test(line)) };
    };
    const tokens = [{ name: 'corp', issuer: 'https://login.example.com', audience: ['api'] }];
    const scopes = [{ oauth: ['read', 'write'] }, { oauth: ['admin'] }];
    const [plain, without] = ['/a', '/b'].map((path) => `${`GET     ${path}`.padEnd(48)} a`);
    expect(await check(scopes, { tokens })).toMatchObject({
      code: 0,
      lines: [`${plain} scopes: read write or admin`, without],
    });
    expect((await check(scopes, {})).lines.at(-1)).toBe(
      `warning: ${file}:7: upstream a has scopes: enforce, but no access tokens are accepted: set tokens`,
    );
    expect((await check([{}], { tokens })).lines).toEqual([
      plain,
      without,
      `warning: ${file}:7: upstream a has scopes: enforce, but no operation in its document requires scopes: add ` +
        'security with scopes of a scheme of the type oauth2 or openIdConnect',
    ]);
    const { code, err } = await check([{ other: ['read'] }], { tokens });
    expect([code, err]).toEqual([1, expect.stringContaining('names other, which components.securitySchemes does not')]);
  });

  test('errors are printed to standard error', async () => {
    const env = { TOLLGATE_CONFIG: 'none.yaml', TOLLGATE_PORT: 'x' };
    const { code, out, err } = await runCommand(['config', 'check'], { env });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^tollgate: the configuration has \d errors:\n {2}environment: TOLLGATE_PORT must be a port/);
  });

  // A pipe once blocked the check, and blocked the gateway during a reload.
  test.each(['/dev/null', 'pipe'])(
    'a pipe or a device in place of a file is reported as an error: %s',
    async (special) => {
      const folder = temporaryDirectory();
      const write = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      const findErrors = async (settings: object, env: Record<string, string> = {}) => {
        write('gateway.yaml', settings);
        const { err } = await runCommand(['config', 'check'], {
          env: { TOLLGATE_CONFIG: join(folder, 'gateway.yaml'), ...env },
        });
        return err.split('\n').slice(1, -1);
      };
      const pair = { cert: special, key: special };
      const openapi = join(root, 'config/petstore.openapi.yaml');
      const plans = join(root, 'config/plans.yaml');
      const to = { name: 'a', targets: ['https://127.0.0.1:9'] };
      const secret = resolve(folder, special);
      expect(
        await findErrors(
          { plans: special, upstreams: [{ ...to, openapi: special }] },
          { TOLLGATE_ADMIN_TOKEN_FILE: secret },
        ),
      ).toEqual([
        `  environment: TOLLGATE_ADMIN_TOKEN_FILE names ${secret}, which cannot be read (NOT_A_FILE)`,
        ...[1, 2].map(() => `  ${secret}: cannot be read (NOT_A_FILE): check the path and its permissions`),
      ]);
      const upstream = { ...to, openapi, tls: { ...pair, ca: special } };
      expect(await findErrors({ plans, tls: pair, upstreams: [upstream] })).toEqual([
        expect.stringMatching(/tls: .* cannot be read \(it is a pipe or a device, not a file\)/),
        expect.stringMatching(/upstreams\[0\]\.tls\.ca names .*, which is not a file/),
        expect.stringMatching(/tls: .* cannot be read \(it is a pipe or a device, not a file\)/),
      ]);
      const { err } = await runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: secret } });
      expect(err).toContain(`${secret}: cannot be read (NOT_A_FILE)`);
    },
  );

  // The check once accepted configurations with which the gateway did not start.
  test('missing and unusable files are reported as errors', async () => {
    const folder = temporaryDirectory();
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('api.json', JSON.stringify({ openapi: '3.1.0', paths: { '/': { get: {} } } }));
    write('a.pem', 'no certificate');
    const pair = { cert: 'a.pem', key: 'a.pem' };
    const settings = {
      plans: join(root, 'config/plans.yaml'),
      tls: pair,
      portal: { enabled: true, logo: 'none.svg', tls: { cert: 'none.pem', key: 'a.pem' } },
      upstreams: [
        { name: 'a', openapi: 'api.json', module: 'none.js' },
        { name: 'b', prefix: '/b', openapi: 'api.json', targets: ['https://127.0.0.1:9'], tls: { ca: '.' } },
      ],
    };
    write('gateway.yaml', JSON.stringify(settings));
    const { code, out, err } = await runCommand(['config', 'check'], {
      env: { TOLLGATE_CONFIG: join(folder, 'gateway.yaml') },
    });
    expect([code, out]).toEqual([1, '']);
    const faults = [
      'the configuration has 5 errors:',
      'gateway.yaml: tls: ',
      'gateway.yaml: portal.tls: tls: ',
      'gateway.yaml: portal.logo names ',
      'gateway.yaml: upstreams[0].module names ',
      'gateway.yaml: upstreams[1].tls.ca names ',
    ];
    for (const fault of faults) expect(err).toContain(fault);
  });

  // The check once accepted configurations that a start refused, or reported another reason.
  test('a start fails with the same errors as the check', async () => {
    const folder = temporaryDirectory();
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('api.json', JSON.stringify({ openapi: '3.1.0', paths: {}, components: { constructor: { keys: {} } } }));
    write('logo.gif', 'a picture');
    const settings = {
      plans: join(root, 'config/plans.yaml'),
      portal: { enabled: true, logo: 'logo.gif' },
      upstreams: [{ name: 'a', openapi: 'api.json', module: 'none.js' }],
    };
    write('gateway.yaml', JSON.stringify(settings));
    const env = { TOLLGATE_CONFIG: join(folder, 'gateway.yaml'), TOLLGATE_DATA_DIR: folder };
    const refused = async () => {
      const [checked, started] = [await runCommand(['config', 'check'], { env }), run('src/main.ts', [], env)];
      expect([checked.code, await started.ended()]).toEqual([1, 1]);
      expect(started.output()).toBe(checked.err);
      return checked.err;
    };
    expect(await refused()).toContain('api.json:1: components.constructor is not a kind of component');
    write('api.json', JSON.stringify({ openapi: '3.1.0', paths: {} }));
    const err = await refused();
    expect(err).toContain('upstreams[0].module names ');
    expect(err).toContain('logo.gif must be a PNG or SVG file');
  });
});

// The check once ignored the file of the admin token, which a start reads.
test('a start and the check agree on whether the admin token in the data directory is valid', async () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'api.json'), JSON.stringify({ openapi: '3.1.0', paths: { '/': { get: {} } } }));
  const settings = {
    plans: join(root, 'config/plans.yaml'),
    adminTokens: [{ name: 'alice', role: 'admin', token: '${ALICE}' }],
    upstreams: [{ name: 'a', openapi: 'api.json', targets: ['http://127.0.0.1:9'] }],
  };
  writeFileSync(join(folder, 'gateway.yaml'), JSON.stringify(settings));
  const [alice, other] = ['a'.repeat(40), 'b'.repeat(40)];
  const free = { TOLLGATE_PORT: '0', TOLLGATE_ADMIN_PORT: '0', TOLLGATE_PORTAL_PORT: '0' };
  const env = { ...free, TOLLGATE_CONFIG: join(folder, 'gateway.yaml'), TOLLGATE_DATA_DIR: folder, ALICE: alice };
  const check = async (more: Record<string, string> = {}) =>
    runCommand(['config', 'check'], { env: { ...env, ...more } });
  expect(await check()).toMatchObject({ code: 0, err: '' });
  expect(existsSync(join(folder, 'admin-token'))).toBe(false);

  for (const [token, message] of [
    ['short\n', /^tollgate: the admin token in .*admin-token .*; delete the file/],
    [`${alice}\n`, /^tollgate: the token of alice in adminTokens is the same as the admin token/],
  ] as const) {
    writeFileSync(join(folder, 'admin-token'), token);
    const [checked, started] = [await check(), run('src/main.ts', [], env)];
    expect([checked.code, await started.ended()]).toEqual([1, 1]);
    expect(checked.err).toMatch(message);
    expect(started.output()).toContain(checked.err);
    // If the token is set elsewhere, the file is not read.
    expect(await check({ TOLLGATE_ADMIN_TOKEN: other })).toMatchObject({ code: 0, err: '' });
  }
  writeFileSync(join(folder, 'admin-token'), `${other}\n`);
  expect(await check()).toMatchObject({ code: 0, err: '' });
});

describe('reload', () => {
  let gateway: ReloadingGateway;
  const upstream = { name: 'a', openapi: 'a.yaml', targets: ['http://127.0.0.1:9'] };
  const settings = { plans: 'plans.yaml', upstreams: [upstream] };

  beforeAll(async () => {
    gateway = await startReloadingGateway((write) => {
      write('plans.yaml', createPlans({ minute: 60, day: 1000 }));
      write('a.yaml', createDocument({ a: {} }));
      write('b.yaml', createDocument({ b: {} }));
      return { settings };
    });
  });
  afterAll(() => gateway.stop());

  const reload = (...options: string[]) =>
    runCommand(['config', 'reload', ...options], {
      env: { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN },
    });

  test('a reload lists what changed and what needs a restart, and the reason is in the audit log', async () => {
    gateway.configure({ ...settings, afterSunset: 'gone', edge: { maxConnections: 7 } });
    const { code, out } = await reload('--reason', 'the old API has ended');
    expect([code, out]).toEqual([
      0,
      'changed: afterSunset\n  from serve to gone\nneeds a restart: edge.maxConnections\n  from 10000 to 7\nReloaded.\n',
    ]);
    const audit = await runCommand(['audit', 'list', '--action', 'config.reload'], {
      env: { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN },
    });
    expect(audit.out).toMatch(/admin +config\.reload +configuration +afterSunset +the old API has ended/);
  });

  test('a reload lists upstreams that were added, changed and removed', async () => {
    const other = { name: 'b', prefix: '/b', openapi: 'b.yaml', targets: ['http://127.0.0.1:9'] };
    gateway.configure({ ...settings, afterSunset: 'gone', upstreams: [upstream, other] });
    expect((await reload()).out).toMatch(/^added: upstream b\n[^]*added: GET \/b\/b \(b\)\nReloaded\.\n$/);
    const changed = { ...other, targets: ['http://127.0.0.1:10'], maxBody: '1kb' };
    gateway.configure({ ...settings, afterSunset: 'gone', upstreams: [upstream, changed] });
    expect((await reload()).out).toMatch(/^changed: upstream b \((targets, maxBody|maxBody, targets)\)\nReloaded\.\n$/);
    gateway.configure({ ...settings, afterSunset: 'gone', upstreams: [upstream] });
    expect((await reload()).out).toMatch(
      /^removed: upstream b\noperations: 0 added, 1 removed, 0 changed\n {2}breaking +removed: GET \/b\/b \(b\)\n +not called\nReloaded\.\n$/,
    );
  });

  test('the output of a reload says if nothing has changed', async () => {
    gateway.configure({ ...settings, afterSunset: 'gone' });
    expect(await reload()).toEqual({ code: 0, out: 'Nothing has changed.\n', err: '' });
    expect(JSON.parse((await reload('--json')).out)).toMatchObject({ changed: [], restart: [], warnings: [] });
  });

  test('a preview lists the same as a reload, and changes nothing', async () => {
    const preview = () =>
      runCommand(['config', 'preview'], {
        env: { TOLLGATE_ADMIN_URL: gateway.adminUrl, TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN },
      });
    gateway.configure({ ...settings, afterSunset: 'gone' });
    expect(await preview()).toEqual({ code: 0, out: 'A reload would change nothing.\n', err: '' });
    gateway.configure(settings);
    const out =
      'changed: afterSunset\n  from gone to serve\nNothing was applied: "tollgate config reload" does that.\n';
    for (let time = 0; time < 2; time++) expect(await preview()).toEqual({ code: 0, out, err: '' });
  });

  test('the output of a reload says if only settings that need a restart have changed', async () => {
    gateway.configure({ ...settings, afterSunset: 'gone', edge: { maxConnections: 7 } });
    const { code, out } = await reload();
    expect([code, out]).toEqual([
      0,
      'needs a restart: edge.maxConnections\n  from 10000 to 7\nNothing else has changed.\n',
    ]);
  });

  test('errors are listed with file and line', async () => {
    gateway.configure({ ...settings, gaurd: {}, afterSunset: 'never' });
    const { code, out, err } = await reload();
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/gateway\.yaml:\d+: gaurd is not a known setting: did you mean guard\?\n/);
    expect(err).toMatch(/gateway\.yaml:\d+: afterSunset must be one of serve, gone/);
  });
});
