/** A public portal has files for programs: `/llms.txt`, Markdown, and the API catalog, which the API serves as well. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { ConfigError } from '../../../../src/base/configuration-faults.ts';
import { listPageAddresses } from '../../../../src/control-plane/portal/front/page-list.ts';
import { temporaryFolder, testConfig } from '../../../support/gateway/gateway.ts';
import { type Portal, startPortal } from '../../../support/gateway/portal.ts';

const CATALOG = '/.well-known/api-catalog';
let open: Portal;
let closed: Portal;
beforeAll(async () => {
  const pages = temporaryFolder();
  writeFileSync(join(pages, '10-quick-start.md'), '# Quick [start]\n\nThe *first* call.\n\n<b>Second</b>.');
  const portal = { public: true, title: 'Acme', description: 'Pets.', pages, maxKeys: 3 };
  const limits = {
    bans: { within: '7m' },
    edge: { maxHeader: '32kb' },
    history: { keep: { hours: '40d' } },
    rotation: { quietFor: '2d', maxGrace: '9d' },
  };
  open = await startPortal({ settings: { portal, ...limits } });
  closed = await startPortal({ settings: { portal: { pages } } });
});
afterAll(async () => {
  await open.stop();
  await closed.stop();
});

const read = async (path: string, portal = open) => {
  const response = await fetch(portal.gateway.portalUrl + path);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('public pages link to their Markdown versions, which exist', async () => {
  const names: Record<string, string> = {
    reference: 'createPet',
    events: 'pet.created',
    docs: 'limits',
    pages: 'quick-start',
  };
  const paths = listPageAddresses().map((page) => page.replace('{}', names[page.split('/')[0] ?? ''] ?? 'x'));
  let found = 0;
  for (const path of paths) {
    const response = await fetch(`${open.gateway.portalUrl}/${path}`);
    const [, href] = /<link rel="alternate" type="text\/markdown" href="([^"]+)"/.exec(await response.text()) ?? [];
    if (href === undefined) continue;
    found++;
    const markdown = await fetch(new URL(href, `${open.gateway.portalUrl}/${path}`));
    expect([href, markdown.status, markdown.headers.get('content-type')]).toEqual([
      href,
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(await markdown.text()).toMatch(/^# \S/);
  }
  expect(found).toBe(8);
});

test('llms.txt links to the public pages, and all of its links work', async () => {
  const { text, type } = await read('/llms.txt');
  expect(type).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# Acme\n\n> Pets\.\n/);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => address);
  expect(links).toEqual(
    expect.arrayContaining(['index.md', 'reference.md', 'docs/getting-started.md', 'docs/limits.md']),
  );
  for (const link of links) expect([link, (await read(`/${link}`)).status]).toEqual([link, 200]);
});

test('custom pages are in llms.txt before the guides, and their Markdown is served as it was written', async () => {
  const { text } = await read('/llms.txt');
  expect(text).toContain(
    '## Guides\n\n- [Quick \\[start\\]](pages/quick-start.md): The first call.\n- [Getting started]',
  );
  expect((await read('/pages/quick-start.md')).text).toBe('# Quick [start]\n\nThe *first* call.\n\n<b>Second</b>.\n');
  expect((await read('/pages/quick-start')).text).toContain('<meta name="description" content="The first call." />');
  expect((await read('/pages/nothing')).status).toBe(404);
});

test('custom pages need a session unless the portal is public', async () => {
  const { status, type } = await read('/api/public/pages/quick-start', closed);
  expect([status, type]).toEqual([401, 'application/json']);
  for (const path of [
    '/api/public/pages',
    '/api/public/pages?text=true',
    '/pages/quick-start',
    '/pages/quick-start.md',
  ])
    expect((await read(path, closed)).text).not.toMatch(/first call/);
  const accountId = await closed.account('acme');
  const { body } = await (await closed.signInAs(accountId)).get('/api/public/pages?text=true');
  expect(body.items).toMatchObject([{ name: 'quick-start', text: expect.stringContaining('Second') }]);
});

test('an operation in Markdown has its URL, body and responses, and the reference in Markdown links to all operations', async () => {
  const { text } = await read('/reference/createPet.md');
  expect(text).toMatch(/^# Create a pet\n/);
  expect(text).toContain(`POST ${open.gateway.url}/pets`);
  for (const heading of ['## Body', '## Responses', '### 201']) expect(text).toContain(heading);
  const { text: list } = await read('/reference.md');
  const links = [...list.matchAll(/\]\((reference\/[^)]+)\)/g)].map(([, address = '']) => address);
  expect(links.length).toBeGreaterThan(15);
  for (const link of links) expect([link, (await read(`/${link}`)).status]).toEqual([link, 200]);
});

test('guides in Markdown use the URL of this API, and the plans in Markdown list their limits', async () => {
  expect((await read('/docs/limits.md')).text).not.toContain('127.0.0.1:8080');
  expect((await read('/docs/errors.md')).text).toContain('`rate_limit_exceeded`');
  expect((await read('/plans.md')).text).toMatch(/\| Free \|  \| 60 \| 1000 \|/);
});

const IN_FORCE = [
  ['limits', '| strikes that start a ban | 10 within 7 minutes,'],
  ['limits', '| request headers | 32 KB |'],
  ['standing', '| counts per hour | 40 days |'],
  ['portal', '| keys of an account | 3 |'],
  ['portal', '| how long an old secret works, unless you choose | 1 day |'],
  ['portal', 'until it has not been used for 2 days; at most 9 days |'],
] as const;

test('guides have the limits in force instead of the defaults, in Markdown and as data', async () => {
  const { items } = (await open.browser().get('/api/public/guides')).body as {
    items: { name: string; sections: { markdown: string }[] }[];
  };
  const sections = new Map(items.map((guide) => [guide.name, guide.sections.map(({ markdown }) => markdown).join()]));
  const all = [...sections.values()].join();
  expect(all).not.toContain('127.0.0.1:8080');
  expect(all).toContain(`new WebSocket('${open.gateway.url.replace('http:', 'ws:')}/`);
  for (const [guide, row] of IN_FORCE) {
    const { text } = await read(`/docs/${guide}.md`);
    expect(text).toContain(row);
    expect(text).not.toContain('These are the defaults');
    expect(sections.get(guide)).toContain(row);
  }
});

test('programs can read the limits in force as data', async () => {
  expect((await open.browser().get('/api/public/limits')).body).toMatchObject({
    bans: { withinSeconds: 420 },
    connections: { maxHeaderBytes: 32_768 },
    keys: { maxPerAccount: 3, newPerDay: 60, graceSeconds: 86_400, quietSeconds: 172_800, maxGraceSeconds: 777_600 },
    history: { minutesSeconds: 172_800, hoursSeconds: 3_456_000 },
  });
});

test.each(['/reference/nothing.md', '/keys.md', '/sign-in.md', '/.md', '/docs/nothing.md', '/webhooks/whk_1.md'])(
  'the path %s is not served as Markdown',
  async (path) => {
    expect((await read(path)).type).not.toMatch(/markdown/);
  },
);

test('the API catalog links to the OpenAPI document, in the portal and on the public listener, without a key', async () => {
  const [ofPortal, ofApi] = [await fetch(open.gateway.portalUrl + CATALOG), await fetch(open.gateway.url + CATALOG)];
  for (const response of [ofPortal, ofApi]) {
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/linkset\+json/);
    expect(response.headers.get('link')).toBe(`<${CATALOG}>; rel="api-catalog"`);
  }
  const catalog = await ofApi.json();
  expect(await ofPortal.json()).toEqual(catalog);
  expect(catalog).toMatchObject({ linkset: [{ 'service-doc': [{ type: 'text/html' }, { type: 'text/markdown' }] }] });
  const { linkset } = catalog as { linkset: { 'service-desc': { href: string }[] }[] };
  const document = await (await fetch(linkset[0]!['service-desc'][0]!.href)).json();
  expect(document).toHaveProperty('openapi', '3.1.0');
  // Every response of the public listener has this header.
  expect(ofApi.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
  const head = await fetch(open.gateway.url + CATALOG, { method: 'HEAD' });
  expect([head.status, head.headers.get('link'), await head.text()]).toEqual([200, ofApi.headers.get('link'), '']);
  expect((await fetch(open.gateway.url + CATALOG, { method: 'POST' })).status).toBe(401);
});

test('without portal.public, no files for programs are served', async () => {
  for (const path of ['/llms.txt', '/index.md', '/reference/createPet.md', CATALOG]) {
    expect([path, (await read(path, closed)).type]).toEqual([
      path,
      expect.stringMatching(/^(text\/html|application\/json)/),
    ]);
  }
  expect((await fetch(closed.gateway.url + CATALOG)).status).toBe(401);
});

test('an operation at the path of the API catalog is a configuration error if the portal is public', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'catalog.yaml');
  const operation = { operationId: 'catalog', responses: { 200: { description: 'ok' } } };
  const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { [CATALOG]: { get: operation } } };
  writeFileSync(file, stringify(document));
  const upstreams = [{ name: 'a', openapi: file, targets: ['http://127.0.0.1:1'] }];
  const load = (portal: object) => testConfig(folder, { settings: { upstreams, portal } });
  expect(() => load({ enabled: true, public: true })).toThrow(ConfigError);
  expect(() => load({ enabled: true, public: true })).toThrow(/where the gateway serves the catalog of the API/);
  expect(() => load({ enabled: true })).not.toThrow();
});
