import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { digestConfig } from '../../src/config/config-digest.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createDocument, createPlans } from '../support/gateway/reloading-gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SECRET = 'a-secret-of-the-tests-0123456789abcdef';
const OTHER_SECRET = 'another-secret-of-the-tests-0123456789';
const service = {
  name: 'a',
  openapi: 'a.yaml',
  targets: ['http://127.0.0.1:9001'],
  headers: { 'X-Token': '${SECRET}' },
};
const settings = {
  plans: 'plans.yaml',
  upstreams: [service],
  adminTokens: [{ name: 'ops', role: 'viewer', token: '${SECRET}' }],
  portal: { enabled: true, url: 'https://portal.example.com', pages: 'pages' },
};

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
  mkdirSync(join(folder.path, 'pages'));
  write('plans.yaml', stringify(createPlans({ minute: 60, day: 1000 })));
  write('a.yaml', stringify(createDocument({ a: {} })));
  write('pages/guide.md', '# Guide\n\nRead this.\n');
});
afterEach(() => folder.remove());

function write(name: string, text: string): void {
  writeFileSync(join(folder.path, name), text);
}

function digest(changed: object = {}, env: Record<string, string | undefined> = {}) {
  write('gateway.yaml', stringify({ ...settings, ...changed }));
  const { fixed, live } = loadConfig({ TOLLGATE_CONFIG: 'gateway.yaml', SECRET, ...env }, folder.path);
  return digestConfig(fixed, live);
}

/** Lists the parts of the configuration that a change affects. */
async function findChanged(change: () => ReturnType<typeof digest>): Promise<string[]> {
  const before = await digest();
  const after = await change();
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
}

test.each<[string, object, string[]]>([
  ['a limit of addresses', { guard: { failedAttempts: 7 } }, ['guard']],
  ['a setting that needs a restart', { replicas: 3 }, ['replicas']],
  ['a target of a service', { upstreams: [{ ...service, targets: ['http://127.0.0.1:9002'] }] }, ['upstreams.a']],
  ['an issuer', { tokens: [{ name: 'c', issuer: 'https://id.example.com', audience: ['x'] }] }, ['tokens']],
  ['a secret that is removed', { upstreams: [{ ...service, headers: undefined }] }, ['upstreams.a']],
])('%s changes the digest of its section', async (_name, changed, parts) => {
  expect(await findChanged(() => digest(changed))).toEqual(parts);
});

test('the content of a file changes the digest of the section that names it', async () => {
  const changeFile = (name: string, text: string, changed = {}) =>
    findChanged(() => {
      write(name, text);
      return digest(changed);
    });
  expect(await changeFile('plans.yaml', stringify(createPlans({ minute: 61, day: 1000 })))).toEqual(['plans']);
  expect(await changeFile('a.yaml', stringify(createDocument({ a: {}, b: {} })))).toEqual(['upstreams.a.openapi']);
  expect(await changeFile('pages/guide.md', '# Guide\n\nRead that.\n')).toEqual(['portal.pages']);
  const overlay = { overlay: '1.0.0', info: { title: 'O', version: '1' }, actions: [{ target: '$', update: {} }] };
  const overlays = { upstreams: [{ ...service, overlays: ['o.yaml'] }] };
  expect(await changeFile('o.yaml', stringify(overlay), overlays)).toEqual(['upstreams.a.overlays']);
  const candidate = { upstreams: [{ ...service, candidate: 'next.yaml' }] };
  expect(await changeFile('next.yaml', stringify(createDocument({ a: {} })), candidate)).toEqual([
    'upstreams.a.candidate',
  ]);
});

test('addresses, ports, paths, the data directory, the log level and values of secrets do not change any digest', async () => {
  const env = {
    SECRET: OTHER_SECRET,
    TOLLGATE_HOST: '127.0.0.9',
    TOLLGATE_PORT: '9080',
    TOLLGATE_ADMIN_HOST: '127.0.0.9',
    TOLLGATE_ADMIN_PORT: '9081',
    TOLLGATE_PORTAL_PORT: '9082',
    TOLLGATE_DATA_DIR: 'elsewhere',
    TOLLGATE_DATABASE: 'sqlite:other.db',
    TOLLGATE_LOG_LEVEL: 'error',
  };
  write('plans2.yaml', stringify(createPlans({ minute: 60, day: 1000 })));
  write('a2.yaml', stringify(createDocument({ a: {} })));
  const moved = { plans: 'plans2.yaml', upstreams: [{ ...service, openapi: 'a2.yaml' }], logLevel: 'debug' };
  expect(await findChanged(() => digest(moved, env))).toEqual([]);
});

test('the content of a file with a secret does not change any digest', async () => {
  const readSecrets = async (secret: string) => {
    write('secret', `${secret}\n`);
    write('admin-token', `${secret}-admin\n`);
    const env = {
      SECRET: undefined,
      SECRET_FILE: join(folder.path, 'secret'),
      TOLLGATE_ADMIN_TOKEN_FILE: join(folder.path, 'admin-token'),
    };
    return digest({}, env);
  };
  const [one, other] = [await readSecrets(SECRET), await readSecrets(OTHER_SECRET)];
  expect(other).toEqual(one);
  expect(one).toEqual(await digest({}, { TOLLGATE_ADMIN_TOKEN: OTHER_SECRET }));
});

test('hundreds of services share one digest', async () => {
  const upstreams = Array.from({ length: 200 }, (_, index) => {
    write(`${index}.yaml`, stringify(createDocument({ [`op${index}`]: {} })));
    return { ...service, name: `s${index}`, openapi: `${index}.yaml` };
  });
  const parts = Object.keys(await digest({ upstreams }));
  expect(parts).toContain('upstreams');
  expect(parts.length).toBeLessThan(100);
});
