import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigInForce } from '../../src/config/in-force.ts';
import { redactSetting } from '../../src/config/settings-in-force.ts';
import { loadConfig } from '../../src/config/load.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
  write('plans.yaml', 'plans: [{ id: free, name: Free, limits: { minute: 60, day: 1000 } }]');
  for (const name of ['a', 'b']) {
    write(
      `${name}.yaml`,
      `openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: { /${name}: { get: { operationId: ${name} } } }\n`,
    );
  }
});
afterEach(() => folder.remove());

function write(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}

function load(text: string, env: Record<string, string> = {}) {
  const file = write('gateway.yaml', text);
  const { settings } = new ConfigInForce(loadConfig({ TOLLGATE_CONFIG: file, ...env }, folder.path));
  const inForce = settings.map(redactSetting);
  const findSetting = (name: string) => {
    const { name: _, from, ...rest } = inForce.find((setting) => setting.name === name) ?? { name, from: null };
    return { ...rest, from: from?.replace(`${folder.path}/`, '') ?? null };
  };
  return { inForce, findSetting };
}

const minimal = 'upstreams: [{ name: a, openapi: a.yaml, targets: [http://127.0.0.1:9001] }]\n';

test('each setting is listed with its value and its source, which is the file, a variable or the default', () => {
  const { findSetting } = load(`replicas: 3\nbans:\n  within: \${WITHIN}\n${minimal}`, {
    WITHIN: '2m',
    TOLLGATE_PORT: '9000',
    TOLLGATE_STORE: 'embedded',
  });
  expect(findSetting('replicas')).toEqual({ value: 3, secret: false, source: 'file', from: 'gateway.yaml:1' });
  expect(findSetting('bans.within')).toEqual({ value: '2m', secret: false, source: 'file', from: 'gateway.yaml:3' });
  expect(findSetting('bans.grace')).toEqual({ value: '1s', secret: false, source: 'default', from: null });
  expect(findSetting('bans.durations')).toMatchObject({ value: ['1m', '5m', '15m', '60m'], source: 'default' });
  expect(findSetting('TOLLGATE_PORT')).toMatchObject({ value: '9000', source: 'environment', from: 'TOLLGATE_PORT' });
  expect(findSetting('TOLLGATE_ADMIN_PORT')).toMatchObject({ value: '8081', source: 'default', from: null });
  expect(findSetting('store')).toMatchObject({ value: 'embedded', source: 'environment', from: 'TOLLGATE_STORE' });
  expect(findSetting('database')).toMatchObject({ value: 'sqlite:tollgate.db', source: 'default' });
  expect(findSetting('upstreams.a.targets')).toMatchObject({ value: ['http://127.0.0.1:9001'], source: 'file' });
  expect(findSetting('upstreams.a.timeouts.connect')).toMatchObject({ value: '1s', source: 'default' });
  expect(findSetting('admin.oidc.clientSecret')).toEqual({
    value: 'not set',
    secret: true,
    source: 'default',
    from: null,
  });
});

/** A secret that is in every place where one can occur: variables, files, URLs, headers and options. */
const SECRET = 'sEcReT-0123456789-0123456789-0123456789';

test('secrets are not shown, wherever they are in the configuration', () => {
  const file = `
admin:
  url: https://tollgate.example.com
  oidc: { issuer: https://login.example.com, clientId: tollgate, clientSecret: '\${A}', admins: [ops] }
portal:
  enabled: true
  url: https://portal.example.com
  oidc: { issuer: https://login.example.com, clientId: tollgate, clientSecret: '\${A}' }
adminTokens:
  - { name: token.of-the.board, role: viewer, token: '\${B}' }
  - { name: token, role: admin, token: '\${C}' }
upstreams:
  - name: headers
    openapi: a.yaml
    targets: [http://127.0.0.1:9001]
    headers: { Authorization: 'Bearer ${SECRET}', X-Token: '\${A}' }
    health: { path: '/health?token=${SECRET}' }
  - name: options
    openapi: b.yaml
    module: module.js
    options: { password: ${SECRET}, nested: { deep: [${SECRET}] }, url: 'postgres://u:${SECRET}@h/d' }
`;
  const { inForce, findSetting } = load(file, {
    A: `${SECRET}-a`,
    B_FILE: write('b.token', `${SECRET}-b`),
    C: `${SECRET}-c`,
    TOLLGATE_ADMIN_TOKEN: `${SECRET}-d`,
    TOLLGATE_DATABASE_FILE: write('database', `postgres://tollgate:${SECRET}@db.internal/tollgate?password=${SECRET}`),
    TOLLGATE_STORE: `redis-cluster://tollgate:${SECRET}@one:6379,two:6379?tls=true`,
  });
  expect(JSON.stringify(inForce)).not.toContain(SECRET);
  expect(findSetting('database').value).toBe('postgres://…@db.internal/tollgate?…');
  expect(findSetting('upstreams.headers.health.path').value).toBe('/health?…');
  expect([findSetting('database').from, findSetting('store').from]).toEqual([
    'TOLLGATE_DATABASE_FILE',
    'TOLLGATE_STORE',
  ]);
  expect(findSetting('store').value).toBe('redis-cluster://…@one:6379,two:6379?…');
  expect(inForce.filter(({ secret }) => secret).map(({ name, value }) => `${name} ${String(value)}`)).toEqual([
    'TOLLGATE_ADMIN_TOKEN set',
    'upstreams.headers.headers.Authorization set',
    'upstreams.headers.headers.X-Token set',
    'upstreams.options.options.password set',
    'upstreams.options.options.nested set',
    'upstreams.options.options.url set',
    'adminTokens.token.of-the.board.token set',
    'adminTokens.token.token set',
    'admin.oidc.clientSecret set',
    'portal.oidc.clientSecret set',
  ]);
  // A setting that is added later with such a name must be secret.
  expect(inForce.filter(({ name, secret }) => !secret && /secret$|token$|password$/i.test(name))).toEqual([]);
  expect(findSetting('adminTokens.token.of-the.board.role')).toMatchObject({ value: 'viewer', secret: false });
  expect(findSetting('admin.oidc.admins')).toMatchObject({ value: ['ops'] });
});
