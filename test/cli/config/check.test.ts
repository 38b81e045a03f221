import { expect, test } from '@jest/globals';
import { runCommand } from '../../support/gateway/cli.ts';
import { root } from '../../support/gateway/gateway.ts';
import { run } from '../../support/gateway/process.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/temporary.ts';

test('the shipped configuration has no faults, and its operations are listed', async () => {
  const { code, out, err } = await runCommand(['config', 'check'], { cwd: root });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^GET {4}\/pets\/\{petId\} +petstore deprecated$/m);
  expect(out.trimEnd().split('\n').at(-1)).toBe(`${join(root, 'config/gateway.yaml')}: no faults`);
});

test('brownouts are listed', async () => {
  const folder = temporaryDirectory();
  const write = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
  const brownouts = [{ from: '2026-12-01T10:00:00+01:00', to: '2026-12-01T09:30:00Z' }];
  const paths = { '/old': { get: { deprecated: true, 'x-deprecated-at': '2026-11-01', 'x-brownouts': brownouts } } };
  write('api.json', { openapi: '3.1.0', paths });
  write('gateway.yaml', {
    plans: join(root, 'config/plans.yaml'),
    upstreams: [{ name: 'a', openapi: 'api.json', targets: ['http://127.0.0.1:9'] }],
  });
  const { out } = await runCommand(['config', 'check'], { env: { TOLLGATE_CONFIG: join(folder, 'gateway.yaml') } });
  expect(out).toContain(' a deprecated, off 2026-12-01 09:00:00 to 2026-12-01 09:30:00\n');
});

test('faults are told on standard error', async () => {
  const env = { TOLLGATE_CONFIG: 'none.yaml', TOLLGATE_PORT: 'x' };
  const { code, out, err } = await runCommand(['config', 'check'], { env });
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^tollgate: the configuration has \d faults:\n {2}environment: TOLLGATE_PORT must be a port/);
});

// It found no fault in a configuration that kept the gateway from starting.
test('files that are not there or cannot be used are faults, too', async () => {
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
    'the configuration has 5 faults:',
    'gateway.yaml: tls: ',
    'gateway.yaml: portal.tls: tls: ',
    'gateway.yaml: portal.logo names ',
    'gateway.yaml: upstreams[0].module names ',
    'gateway.yaml: upstreams[1].tls.ca names ',
  ];
  for (const fault of faults) expect(err).toContain(fault);
});

// A check that said "no faults", or something else than the start, was of little help.
test('a start refuses what the check refuses, in the same words', async () => {
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
  expect(err).toContain('logo.gif must be a png or svg file');
});
