/** For a change of each kind, the preview of a reload must say what it does. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Config } from '../../src/config/config.ts';
import { listCertificatesInUse } from '../../src/config/loaded-files.ts';
import { loadConfig } from '../../src/config/load.ts';
import { documentsIn } from '../../src/config/openapi-messages.ts';
import { findReloadEffects } from '../../src/config/reload-effects.ts';
import type { FileKind, ReloadEffects, Subjects } from '../../src/control-plane/system/reload-effects.ts';
import type { StoredPlan } from '../../src/domain/plan.ts';
import { readPair } from '../../src/http/reloaded-certificate.ts';
import { createDocument } from '../support/gateway/reloading-gateway.ts';
import { TestAuthority, type TestCertificate } from '../support/servers/certificates.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NO_SUBJECTS: Subjects = { plans: [], keys: [], areKnown: true, incomplete: [] };
const SECRET = 'a-secret-of-the-tests-0123456789abcdef';
const PAGE = '# Start\n\nHello.\n';
const plans = (day: number) => ({ plans: [{ id: 'free', name: 'Free', limits: { minute: 10, day } }] });
const overlay = (text: string) => ({
  overlay: '1.0.0',
  info: { title: text, version: '1' },
  actions: [{ target: '$.info', update: { title: text } }],
});

const upstream = {
  name: 'pets',
  openapi: 'pets.yaml',
  overlays: ['overlay.yaml'],
  candidate: 'candidate.yaml',
  targets: ['https://127.0.0.1:9'],
  tls: { ca: 'pem/one.cert', cert: 'pem/client.cert', key: 'pem/client.key' },
};
const base = {
  plans: 'plans.yaml',
  upstreams: [upstream],
  tls: { cert: 'pem/public.cert', key: 'pem/public.key' },
  portal: { enabled: true, pages: 'pages', logo: 'logo.svg' },
  adminTokens: [{ name: 'ops', role: 'viewer', token: '${OPS_TOKEN}' }],
};
const env = {
  TOLLGATE_CONFIG: 'gateway.yaml',
  TOLLGATE_ADMIN_TOKEN_FILE: '',
  TOLLGATE_STORE_FILE: '',
  OPS_TOKEN_FILE: '',
};

let folder: ReturnType<typeof tempFolder>;
let certificates: TestCertificate[];
beforeAll(() => {
  folder = tempFolder();
  mkdirSync(join(folder.path, 'pem'));
  const authority = new TestAuthority(folder.path);
  certificates = [authority.issue('first'), authority.issue('second')];
  for (const name of ['TOLLGATE_ADMIN_TOKEN_FILE', 'TOLLGATE_STORE_FILE', 'OPS_TOKEN_FILE'] as const)
    env[name] = join(folder.path, name);
});
afterAll(() => folder.remove());

function write(name: string, content: object | string): void {
  writeFileSync(join(folder.path, name), typeof content === 'string' ? content : stringify(content));
}

function writePair(name: string, index: number): void {
  for (const part of ['cert', 'key'] as const)
    copyFileSync(certificates[index]![part], join(folder.path, `pem/${name}.${part}`));
}

beforeEach(() => {
  rmSync(join(folder.path, 'pages'), { recursive: true, force: true });
  mkdirSync(join(folder.path, 'pages'));
  write('pages/10-start.md', PAGE);
  write('logo.svg', '<svg/>');
  write('plans.yaml', plans(100));
  write('pets.yaml', createDocument({ list: {}, find: { tags: ['read'] } }));
  write('candidate.yaml', createDocument({ list: {} }));
  write('overlay.yaml', overlay('one'));
  for (const name of ['public', 'client', 'one']) writePair(name, 0);
  write('TOLLGATE_ADMIN_TOKEN_FILE', `${SECRET}-admin\n`);
  write('TOLLGATE_STORE_FILE', 'embedded\n');
  write('OPS_TOKEN_FILE', `${SECRET}-ops\n`);
  write('gateway.yaml', base);
});

/** Compares the configuration in force with the configuration that the files have after a change. */
async function preview(change: () => void, subjects = NO_SUBJECTS): Promise<ReloadEffects> {
  const before = loadConfig(env, folder.path);
  const pairs = listInUse(before);
  change();
  const next = loadConfig(env, folder.path, documentsIn(before.live.upstreams));
  const files = [...before.fixed.files, ...before.live.files, ...pairs];
  return findReloadEffects({ ...before, files }, next, subjects);
}

function listInUse({ fixed, live }: Config) {
  const files = (name: string) => ({
    cert: join(folder.path, `pem/${name}.cert`),
    key: join(folder.path, `pem/${name}.key`),
  });
  const findPair = (setting: string) => readPair(files(setting === 'upstreams.pets.tls' ? 'client' : 'public'));
  return listCertificatesInUse(findPair, fixed, live.upstreams);
}

test('the preview of an unchanged configuration lists no effects', async () => {
  expect(await preview(() => {})).toMatchObject({
    changed: [],
    restart: [],
    settings: [],
    files: [],
    operations: { added: 0, removed: 0, changed: 0, items: [] },
    opened: [],
    plans: [],
    incomplete: [],
  });
});

const file = (kind: string, setting: string, path: string, effect = 'reload') => ({ kind, setting, path, effect });

/** For each kind of file: a change, the settings that the reload names, and the reported contents of the files. */
const files: [string, () => void, string[], ReturnType<typeof file>[]][] = [
  [
    'a document',
    () => write('pets.yaml', createDocument({ list: {}, find: { tags: ['read', 'new'] } })),
    ['upstreams.pets.openapi'],
    [file('document', 'upstreams.pets.openapi', 'pets.yaml')],
  ],
  [
    'an overlay',
    () => write('overlay.yaml', overlay('two')),
    ['upstreams.pets.overlays'],
    [file('overlay', 'upstreams.pets.overlays', 'overlay.yaml')],
  ],
  [
    'a candidate',
    () => write('candidate.yaml', createDocument({ other: {} })),
    ['upstreams.pets.candidate'],
    [file('candidate', 'upstreams.pets.candidate', 'candidate.yaml')],
  ],
  ['the plans', () => write('plans.yaml', plans(70)), ['plans'], [file('plans', 'plans', 'plans.yaml')]],
  [
    'a page',
    () => write('pages/10-start.md', `${PAGE}More.\n`),
    ['portal.pages'],
    [file('page', 'portal.pages', 'pages/10-start.md')],
  ],
  [
    'a new page',
    () => write('pages/20-next.md', '# Next\n'),
    ['portal.pages'],
    [file('page', 'portal.pages', 'pages/20-next.md')],
  ],
  ['the logo', () => write('logo.svg', '<svg />'), [], [file('logo', 'portal.logo', 'logo.svg', 'restart')]],
  [
    'the certificate of a listener',
    () => writePair('public', 1),
    [],
    [
      file('certificate', 'tls.cert', 'pem/public.cert', 'automatic'),
      file('certificate', 'tls.key', 'pem/public.key', 'automatic'),
    ],
  ],
  [
    'the certificate for a service',
    () => writePair('client', 1),
    [],
    [
      file('certificate', 'upstreams.pets.tls.cert', 'pem/client.cert', 'automatic'),
      file('certificate', 'upstreams.pets.tls.key', 'pem/client.key', 'automatic'),
    ],
  ],
  [
    'the authorities of a service',
    () => writePair('one', 1),
    ['upstreams.pets.tls.ca'],
    [file('certificate', 'upstreams.pets.tls.ca', 'pem/one.cert')],
  ],
  [
    'the file of the admin token',
    () => write('TOLLGATE_ADMIN_TOKEN_FILE', `${SECRET}-next\n`),
    ['TOLLGATE_ADMIN_TOKEN'],
    [file('secret', 'TOLLGATE_ADMIN_TOKEN_FILE', 'TOLLGATE_ADMIN_TOKEN_FILE')],
  ],
  [
    'the file of a variable',
    () => write('OPS_TOKEN_FILE', `${SECRET}-next\n`),
    ['adminTokens.ops.token'],
    [file('secret', 'OPS_TOKEN_FILE', 'OPS_TOKEN_FILE')],
  ],
];

test.each(files)('%s that has changed is listed with its setting', async (_, change, settings, expected) => {
  const effects = await preview(change);
  expect(effects.changed).toEqual(settings);
  expect(effects.files).toEqual(expected.map((each) => ({ ...each, path: join(folder.path, each.path) })));
  expect(JSON.stringify(effects)).not.toContain(SECRET);
});

test('a changed file of each kind is tested above', () => {
  const kinds: Record<FileKind, true> = {
    document: true,
    overlay: true,
    candidate: true,
    plans: true,
    page: true,
    certificate: true,
    secret: true,
    logo: true,
  };
  const tested = files.flatMap(([, , , expected]) => expected.map(({ kind }) => kind));
  expect([...new Set(tested)].toSorted()).toEqual(Object.keys(kinds).toSorted());
});

test.each(['admin', 'portal'] as const)(
  'a changed certificate of the listener %s is read without a reload',
  async (listener) => {
    const tls = { cert: 'pem/public.cert', key: 'pem/public.key' };
    write('gateway.yaml', { ...base, [listener]: { ...(listener === 'portal' ? base.portal : {}), tls } });
    const { changed, restart, files: listed } = await preview(() => writePair('public', 1));
    expect([changed, restart]).toEqual([[], []]);
    const paths = listed.filter(({ setting }) => setting.startsWith(`${listener}.`));
    expect(paths).toEqual(
      (['cert', 'key'] as const).map((part) =>
        file('certificate', `${listener}.tls.${part}`, join(folder.path, `pem/public.${part}`), 'automatic'),
      ),
    );
  },
);

test('a page that is removed is listed by its name', async () => {
  write('pages/20-next.md', '# Next\n');
  const { changed, files: listed } = await preview(() => rmSync(join(folder.path, 'pages/20-next.md')));
  expect(changed).toEqual(['portal.pages']);
  expect(listed).toEqual([file('page', 'portal.pages', join(folder.path, 'pages/next'))]);
});

test('an overlay that is added is listed with its setting', async () => {
  const added = await preview(() => {
    write('more.yaml', overlay('more'));
    write('gateway.yaml', { ...base, upstreams: [{ ...upstream, overlays: ['overlay.yaml', 'more.yaml'] }] });
  });
  expect(added.changed).toContain('upstreams.pets.overlays');
  expect(added.files).toEqual([file('overlay', 'upstreams.pets.overlays', join(folder.path, 'more.yaml'))]);
});

test('the options of a running module need a restart, and its document does not', async () => {
  const module = { name: 'pets', openapi: 'pets.yaml', module: 'pets.js', options: { table: 'one' } };
  write('pets.js', '');
  write('gateway.yaml', { ...base, upstreams: [module] });
  const effects = await preview(() => {
    write('pets.yaml', createDocument({ list: {} }));
    write('gateway.yaml', { ...base, upstreams: [{ ...module, options: { table: 'two' } }] });
  });
  expect([effects.changed, effects.restart]).toEqual([['upstreams.pets.openapi'], ['upstreams.pets.options.table']]);
  expect(effects.operations).toMatchObject({ removed: 1 });
});

test('a changed file needs a restart if its setting is only read at the start', async () => {
  const {
    changed,
    restart,
    files: listed,
  } = await preview(() => write('TOLLGATE_STORE_FILE', 'redis://127.0.0.1:6379/1\n'));
  expect([changed, restart]).toEqual([[], ['store']]);
  expect(listed).toEqual([file('secret', 'TOLLGATE_STORE_FILE', join(folder.path, 'TOLLGATE_STORE_FILE'), 'restart')]);
});

test('changed settings are listed with their values, but without secrets', async () => {
  const { settings, changed, restart } = await preview(() =>
    write('gateway.yaml', {
      ...base,
      afterSunset: 'gone',
      edge: { maxConnections: 7 },
      upstreams: [{ ...upstream, headers: { 'X-Secret': SECRET } }],
    }),
  );
  expect([changed, restart]).toEqual([['upstreams.pets.headers.X-Secret', 'afterSunset'], ['edge.maxConnections']]);
  expect(settings).toEqual([
    { name: 'upstreams.pets.headers.X-Secret', before: null, after: 'set', secret: true, restart: false },
    { name: 'afterSunset', before: 'serve', after: 'gone', secret: false, restart: false },
    { name: 'edge.maxConnections', before: 10_000, after: 7, secret: false, restart: true },
  ]);
});

test('operations that are added, removed, changed or made public are listed', async () => {
  const { operations, opened } = await preview(() =>
    write('pets.yaml', createDocument({ find: { 'x-tollgate-cost': 5 }, news: { security: [] } })),
  );
  expect(operations).toMatchObject({ added: 1, removed: 1, changed: 1 });
  const summary = operations.items.map(({ change, severity, operation }) => [change, severity, operation?.id]);
  expect(summary).toEqual([
    ['removed', 'breaking', 'list'],
    ['changed', 'warning', 'find'],
    ['added', 'compatible', 'news'],
  ]);
  expect(operations.items[1]?.messages).toEqual(['The cost changes from 1 to 5', 'The tags change from read to none']);
  expect(opened).toEqual([{ id: 'news', method: 'GET', path: '/news', upstream: 'pets' }]);
});

test('the operations of an added or removed upstream are listed, and operations can move from one upstream to another', async () => {
  write('more.yaml', createDocument({ more: {} }));
  const more = { name: 'more', openapi: 'more.yaml', targets: ['http://127.0.0.1:9'] };
  const added = await preview(() => write('gateway.yaml', { ...base, upstreams: [upstream, more] }));
  expect(added.operations).toMatchObject({ added: 1, removed: 0, items: [{ upstream: 'more', change: 'added' }] });
  expect(added.files).toEqual([file('document', 'upstreams.more.openapi', join(folder.path, 'more.yaml'))]);
  const removed = await preview(() => write('gateway.yaml', base));
  expect(removed.operations).toMatchObject({ added: 0, removed: 1, items: [{ severity: 'breaking' }] });

  write('pets.yaml', createDocument({ list: {}, find: {}, more: {} }));
  const moved = await preview(() => {
    write('pets.yaml', createDocument({ list: {}, find: {} }));
    write('gateway.yaml', { ...base, upstreams: [upstream, more] });
  });
  expect(moved.operations).toMatchObject({ added: 0, removed: 0, changed: 1 });
  expect(moved.operations.items[0]?.messages).toEqual(['The upstream changes from pets to more']);
});

const stored = (id: string, operations: string[] | null, day = 100): StoredPlan => ({
  ...loadConfig(env, folder.path).live.plans[0]!,
  id,
  operations,
  limits: { minute: 10, day },
  revision: 1,
});

test('selectors of plans and keys that match no operation are listed with a suggestion, beginning with those that matched before', async () => {
  const subjects = {
    ...NO_SUBJECTS,
    plans: [stored('old', ['lst', 'list'])],
    keys: [{ id: 'key_1', operations: ['tag:read', 'list'] }],
  };
  const { selectors } = await preview(
    () => write('pets.yaml', createDocument({ lists: {}, find: { tags: ['reads'] } })),
    subjects,
  );
  expect(selectors).toEqual([
    { kind: 'plan', id: 'old', selector: 'list', nearest: 'lists', matchesNow: true },
    { kind: 'key', id: 'key_1', selector: 'tag:read', nearest: 'tag:reads', matchesNow: true },
    { kind: 'key', id: 'key_1', selector: 'list', nearest: 'lists', matchesNow: true },
    { kind: 'plan', id: 'old', selector: 'lst', nearest: null, matchesNow: false },
  ]);
});

test('changed plans in the file are listed as applied, or as kept if an operator changed them', async () => {
  const change = () =>
    write('plans.yaml', {
      plans: [...plans(70).plans, { id: 'new', name: 'New', limits: { minute: 1, day: 1 }, operations: ['nothing'] }],
    });
  const applied = await preview(change, { ...NO_SUBJECTS, plans: [stored('free', null)] });
  expect(applied.plans.map(({ plan, outcome, stored: found }) => [plan.id, outcome, found?.revision])).toEqual([
    ['free', 'applied', 1],
    ['new', 'applied', undefined],
  ]);
  expect(applied.selectors).toMatchObject([{ kind: 'plan', id: 'new', selector: 'nothing' }]);

  write('plans.yaml', plans(100));
  const kept = await preview(change, { ...NO_SUBJECTS, plans: [stored('free', null, 55)] });
  expect(kept.plans).toMatchObject([
    { plan: { id: 'free' }, outcome: 'kept' },
    { plan: { id: 'new' }, outcome: 'applied' },
  ]);
});
