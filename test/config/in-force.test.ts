import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Config } from '../../src/config/config.ts';
import { liveSettings } from '../../src/config/config-schema.ts';
import { ConfigInForce } from '../../src/config/in-force.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createDocument, createPlans } from '../support/gateway/reloading-gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
  write('plans.yaml', createPlans({ minute: 60, day: 1000 }));
  for (const name of ['a', 'b']) write(`${name}.yaml`, createDocument({ [name]: {} }));
});
afterEach(() => folder.remove());

function write(name: string, content: object): void {
  writeFileSync(join(folder.path, name), stringify(content));
}

const service = { name: 'a', openapi: 'a.yaml', targets: ['http://127.0.0.1:9001'] };
const portal = { enabled: true, url: 'https://portal.example.com' };
const oidc = { issuer: 'https://id.example.com', clientId: 'tollgate', clientSecret: '${SECRET}' };
const SECRET = 'a-secret-of-the-tests-0123456789abcdef';

function load(settings: object, env: Record<string, string> = {}): Config {
  write('gateway.yaml', { plans: 'plans.yaml', upstreams: [service], ...settings });
  return loadConfig({ TOLLGATE_CONFIG: 'gateway.yaml', SECRET, ...env }, folder.path);
}

const compare = (before: Config, read: Config) => new ConfigInForce(before).compare(read);

/**
 * The names of the settings that a reload replaces. If a section also has other settings, its settings are listed one
 * by one.
 */
const { edge, portal: ofPortal, ...whole } = liveSettings.shape;
const liveNames = [
  'TOLLGATE_ADMIN_TOKEN',
  ...Object.keys(whole),
  ...Object.keys(edge.shape).map((name) => `edge.${name}`),
  ...Object.keys(ofPortal.shape).map((name) => `portal.${name}`),
];

/**
 * A change to each setting that can be reloaded: the name of the setting, the changed configuration, and the
 * environment.
 */
const reloaded: [string, object, Record<string, string>?][] = [
  ['TOLLGATE_ADMIN_TOKEN', {}, { TOLLGATE_ADMIN_TOKEN: SECRET }],
  ['adminTokens.ops.token', { adminTokens: [{ name: 'ops', role: 'viewer', token: '${SECRET}' }] }],
  ['afterSunset', { afterSunset: 'gone' }],
  ['validation.maxBody', { validation: { maxBody: '128kb' } }],
  ['cors.origins', { cors: { origins: ['https://app.example.com'] } }],
  ['cors.expose', { cors: { expose: ['ETag'] } }],
  ['edge.dropHeaders', { edge: { dropHeaders: ['X-Old'] } }],
  ['edge.maxBody', { edge: { maxBody: '2mb' } }],
  ['guard.failedAttempts', { guard: { failedAttempts: 7 } }],
  ['guard.publicRequests', { guard: { publicRequests: 7 } }],
  ['guard.within', { guard: { within: '7m' } }],
  ['keys.foreign.1.header', { keys: { foreign: [{ header: 'X-Old-Key', prefix: 'old_' }] } }],
  ['keys.foreign.1.maxLength', { keys: { foreign: [{ header: 'apikey', maxLength: 32 }] } }],
  ['keys.selfRevoke', { keys: { selfRevoke: false } }],
  ['rotation.quietFor', { rotation: { quietFor: '3d' } }],
  ['logLevel', { logLevel: 'warn' }],
  ['portal.apiUrl', { portal: { apiUrl: 'https://api.example.com' } }],
  ['portal.contact', { portal: { contact: 'mailto:api@example.com' } }],
  ['portal.description', { portal: { description: 'Pets.' } }],
  ['portal.maxKeys', { portal: { maxKeys: 7 } }],
  ['portal.pages', { portal: { pages: 'pages' } }],
  ['portal.plan', { portal: { plan: 'pro' } }],
  ['portal.public', { portal: { public: true } }],
  ['portal.requestablePlans', { portal: { requestablePlans: ['pro'] } }],
  ['portal.signUp', { portal: { ...portal, oidc, signUp: 'open', plan: 'free' } }],
  ['rateLimitHeaders', { rateLimitHeaders: ['x'] }],
  ['tokens.corp.audience', { tokens: [{ name: 'corp', issuer: 'https://login.example.com', audience: ['api'] }] }],
  ['trustedProxies', { trustedProxies: ['10.0.0.0/8'] }],
  ['upstreams.a.scopes', { upstreams: [{ ...service, scopes: 'enforce' }] }],
  ['upstreams.a.targets', { upstreams: [{ ...service, targets: ['http://127.0.0.1:9002'] }] }],
  ['upstreams.b.targets', { upstreams: [service, { ...service, name: 'b', openapi: 'b.yaml' }] }],
];

test.each(reloaded)('a reload applies a changed %s', (name, settings, env = {}) => {
  const [before, read] = [load({}), load(settings, env)];
  const { changed, live } = compare(before, read);
  expect(changed).toContain(name);
  const { settings: _, ...fields } = read.live;
  // If a reload can apply all changes, the resulting configuration equals the one that was read.
  const { restart } = compare(before, read);
  if (restart.length === 0) expect(live).toMatchObject(fields);
  expect(live.settings.find((setting) => setting.name === name)).toEqual(
    read.live.settings.find((setting) => setting.name === name),
  );
});

const restarted: [string, object, Record<string, string>?][] = [
  ['TOLLGATE_PORT', {}, { TOLLGATE_PORT: '9000' }],
  ['TOLLGATE_DATA_DIR', {}, { TOLLGATE_DATA_DIR: 'state' }],
  ['database', { database: 'sqlite:other.db' }],
  ['store', { store: 'redis://127.0.0.1:6379' }],
  ['bans.strikes', { bans: { strikes: 7 } }],
  ['history.keep.minutes', { history: { keep: { minutes: '24h' } } }],
  ['edge.maxConnections', { edge: { maxConnections: 7 } }],
  ['edge.maxConnectionsPerAddress', { edge: { maxConnectionsPerAddress: 7 } }],
  ['admin.maxConnections', { admin: { maxConnections: 7 } }],
  ['portal.maxConnectionsPerAddress', { portal: { maxConnectionsPerAddress: 7 } }],
  ['edge.reusePort', { edge: { reusePort: true } }],
  ['portal.enabled', { portal: { enabled: true } }],
  ['portal.title', { portal: { title: 'Another' } }],
  ['admin.url', { admin: { url: 'https://admin.example.com' } }],
  ['events.keep', { events: { keep: '60d' } }],
  ['drain.deadline', { drain: { deadline: '7s' } }],
];

test.each(restarted)(
  'a changed %s needs a restart, and a reload keeps the current value',
  (name, settings, env = {}) => {
    const before = load({});
    const { changed, restart, live } = compare(before, load(settings, env));
    expect([changed, restart]).toEqual([[], [name]]);
    expect(live).toEqual(before.live);
  },
);

test('a reload replaces the document and prefix of a running module, but not its file or options', () => {
  const module = { name: 'a', openapi: 'a.yaml', module: 'a.js', options: { database: 'a.db' } };
  const before = load({ upstreams: [module] });
  const other = { ...module, module: 'b.js', options: { database: 'b.db' }, prefix: '/v2', openapi: 'b.yaml' };
  const { changed, restart, live } = compare(before, load({ upstreams: [other] }));
  expect(changed).toEqual(['upstreams.a.openapi', 'upstreams.a.prefix']);
  expect(restart).toEqual(['upstreams.a.module', 'upstreams.a.options.database']);
  expect(live.upstreams).toMatchObject([
    { service: { module: join(folder.path, 'a.js'), options: { database: 'a.db' } }, prefix: '/v2' },
  ]);
  expect(live.upstreams[0]?.document.operations.map(({ id }) => id)).toEqual(['b']);
});

test('settings whose files have other contents count as changed', () => {
  const before = load({});
  write('plans.yaml', createPlans({ minute: 70, day: 1000 }));
  write('a.yaml', createDocument({ a: { summary: 'Another' } }));
  expect(compare(before, load({})).changed).toEqual(['plans', 'upstreams.a.openapi']);
});

test('docs/operators/reload.md names every reloadable setting', () => {
  const page = readFileSync(new URL('../../docs/operators/reload.md', import.meta.url), 'utf8');
  const isNamed = (name: string) => page.includes(name === 'plans' ? 'plans file' : name);
  expect(liveNames.filter((name) => !isNamed(name))).toEqual([]);
});

test('the tests above change every reloadable setting', () => {
  const tested = ['plans', ...reloaded.map(([name]) => name)];
  const isTested = (setting: string) => tested.some((name) => name === setting || name.startsWith(`${setting}.`));
  expect(liveNames.filter((name) => !isTested(name))).toEqual([]);
});
