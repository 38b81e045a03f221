/** Without a session, visitors of the portal can read public data if `portal.public` is set, and nothing otherwise. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findPage, listPageAddresses } from '../../../../src/control-plane/portal/front/page-list.ts';
import { root, temporaryFolder } from '../../../support/gateway/gateway.ts';
import { type Portal, portalDocument, startPortal } from '../../../support/gateway/portal.ts';
import { RawConnection } from '../../../support/raw.ts';

const TITLE = `Acme's "API" <b>`;
const PUBLIC_PATHS = Object.keys(portalDocument.paths)
  .filter((path) => path.startsWith('/public/'))
  .map(
    (path) =>
      `/api${path.replace('{name}', 'quick-start')}${path === '/public/reference/part' ? '?operation=createPet' : ''}`,
  );

let open: Portal;
let closed: Portal;
let cookie = '';
beforeAll(async () => {
  const pages = temporaryFolder();
  writeFileSync(join(pages, '10-quick-start.md'), '# Quick start');
  const description = 'Everything about <pets> & orders.';
  const portal = { title: TITLE, contact: 'mailto:api@acme.example', description, pages };
  open = await startPortal({ settings: { portal: { ...portal, public: true } } });
  closed = await startPortal({ settings: { portal } });
  ({ cookie } = await open.signInAs(await open.account('acme')));
});
afterAll(async () => {
  await open.stop();
  await closed.stop();
});

const get = ({ gateway }: Portal, path: string, headers: Record<string, string> = {}) =>
  fetch(gateway.portalUrl + path, { headers, redirect: 'manual' });

describe('the public data of the portal', () => {
  test('is the same with and without a session, and can be cached for a minute', async () => {
    expect(PUBLIC_PATHS.length).toBeGreaterThanOrEqual(4);
    for (const path of PUBLIC_PATHS) {
      const [stranger, member] = [await get(open, path), await get(open, path, { cookie })];
      expect([path, stranger.status, member.status]).toEqual([path, 200, 200]);
      expect(await member.text()).toBe(await stranger.text());
      expect(stranger.headers.get('cache-control')).toBe('public, max-age=60');
      expect(stranger.headers.get('set-cookie')).toBeNull();
    }
  });

  test('without portal.public needs a session and is not cached', async () => {
    const member = await closed.signInAs(await closed.account('acme'));
    for (const path of PUBLIC_PATHS) {
      expect([path, (await get(closed, path)).status]).toEqual([path, 401]);
      const { status, headers } = await member.get(path);
      expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([200, 'no-store', null]);
    }
  });

  test.each([
    '/api/public/../keys',
    '/api/public/%2e%2e/keys',
    '/api/public/front/',
    '/api//public/front',
    '/api/public/%66ront',
    '/api/publicfront',
    '/api/public',
    '/api/public/front/../../keys',
  ])('cannot be reached through the path %s', async (path) => {
    const connection = new RawConnection(open.gateway.portalUrl);
    const { status } = await connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).readResponse();
    connection.close();
    expect(status).toBe(401);
  });

  test('cannot be changed without a session', async () => {
    for (const path of PUBLIC_PATHS) {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const { status } = await fetch(open.gateway.portalUrl + path, { method });
        expect([path, method, status]).toEqual([path, method, 401]);
      }
    }
  });

  test('has an introduction with the services, their tags, and a first call that works without parameters', async () => {
    const { description, services, firstCall } = (await open.browser().get('/api/public/front')).body;
    expect(description).toBe('Everything about & orders.');
    const summary = 'Pets for sale, with their categories, orders and stock.';
    expect(services).toMatchObject([{ name: 'petstore', title: 'Pet Store', description: summary }]);
    expect(services[0].tags.map(({ name }: { name: string }) => name)).toContain('pets');
    expect((await open.gateway.call(firstCall.path)).status).toBe(200);
    expect(firstCall.response).toMatchObject({ status: 200, mediaType: 'application/json' });
  });

  test('lists the plan of new accounts first, then the plans that can be requested, and no others', async () => {
    const { items } = (await open.browser().get('/api/public/plans')).body;
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['free', 'pro']);
  });

  test('includes the contact address before anybody signs in', async () => {
    expect((await closed.browser().get('/api/site')).body).toMatchObject({
      public: false,
      contact: 'mailto:api@acme.example',
    });
  });

  test('has a compressed reference, which is not sent again to clients that have it', async () => {
    const plain = await get(open, '/api/public/reference', { 'accept-encoding': 'identity' });
    const text = await plain.text();
    const url = new URL(open.gateway.portalUrl);
    for (const [path, sent] of [
      ['/api/public/reference', {}],
      ['/api/reference', { cookie }],
    ] as const) {
      for (const [coding, unpack] of [
        ['gzip', gunzipSync],
        ['br', brotliDecompressSync],
      ] as const) {
        const raw = await rawGet(url, path, { ...sent, 'accept-encoding': coding });
        expect(raw.coding).toBe(coding);
        expect(raw.body.length).toBeLessThan(text.length / 3);
        expect(unpack(raw.body).toString()).toBe(text);
      }
    }
    const tag = plain.headers.get('etag') ?? '';
    const again = await get(open, '/api/public/reference', { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

/** Reads the body as it is sent, because `fetch` would decompress it. */
async function rawGet(url: URL, path: string, headers: Record<string, string>) {
  const { request } = await import('node:http');
  return new Promise<{ coding: string | undefined; body: Buffer }>((resolve, reject) => {
    request(new URL(path, url), { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ coding: response.headers['content-encoding'], body: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the HTML of a page', () => {
  test('has the title and the description of the page for link previews', async () => {
    const response = await get(open, '/reference/createPet');
    const html = await response.text();
    expect(html).toContain('<title>Create a pet · Acme&#39;s &quot;API&quot; &lt;b&gt;</title>'.replace('&#39;', "'"));
    expect(html).toMatch(/<meta name="description" content="[^"]+" \/>/);
    expect(html).toContain('<meta property="og:title" content="Create a pet" />');
    expect(html).not.toContain('noindex');
    expect(html).toContain('src="../assets/');
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    const tag = response.headers.get('etag') ?? '';
    expect((await get(open, '/reference/createPet', { 'if-none-match': tag })).status).toBe(304);
  });

  test.each(['/', '/plans', '/events/pet.created', '/docs/limits', '/docs/getting-started'])(
    'has a description at %s',
    async (path) => {
      const response = await get(open, path);
      expect(response.status).toBe(200);
      expect(await response.text()).toMatch(/<meta name="description" content="[^"]+" \/>/);
    },
  );

  test.each(['/reference/nothing', '/events/nothing.happens', '/docs/nothing'])(
    'has status 404 at %s',
    async (path) => {
      expect((await get(open, path)).status).toBe(404);
    },
  );

  test('is the same for all private pages, and without portal.public for all pages', async () => {
    const plain = (await (await get(closed, '/')).text()).replaceAll('"./', '"../');
    for (const [portal, path] of [
      [open, '/webhooks/whk_1'],
      [closed, '/reference/createPet'],
      [closed, '/reference/nothing'],
      [closed, '/events/pet.created'],
    ] as const) {
      const response = await get(portal, path);
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
      expect(await response.text()).toBe(plain);
    }
    expect(plain).toContain('noindex');
  });

  test('is returned with 404 to a browser for an unknown path, and a program gets 401', async () => {
    for (const path of ['/referense', '/a/b/c']) {
      const page = await get(open, path, { accept: 'text/html,*/*;q=0.8' });
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect((await get(open, path)).status).toBe(401);
    }
    for (const path of ['/api/keys', '/api', '/assets/missing.js']) {
      expect((await get(open, path, { accept: 'text/html' })).status).toBe(401);
    }
  });

  test("is served for every route that the portal's router in the browser has", () => {
    const routes = readFileSync(join(root, 'web/portal/routes.tsx'), 'utf8');
    const paths = [...routes.matchAll(/^ {2}path: '\/(.*)',(\n {2}staticData: FOR_EVERYBODY)?/gm)];
    const known = paths.map(([, path = '']) => path.replace(/\$\w+/, '{}'));
    expect(known.toSorted()).toEqual([...listPageAddresses()].toSorted());
    for (const [, path = '', forEverybody] of paths) {
      if (path === 'sign-in') continue;
      expect([path, findPage(path.replace(/\$\w+/, 'x'))?.isForEverybody]).toEqual([path, forEverybody !== undefined]);
    }
  });
});
