import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { temporaryFolder } from '../support/gateway/gateway.ts';
import { type HttpService, serveHttp } from '../support/services/http-service.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/**
 * The attack: the OpenAPI document or the responses of a service contain markup. A script on the portal's origin could
 * act for every consumer who opens the page, for example create keys or read usage. So markup must be shown as text.
 */
const SCRIPT = `<script>document.title='pwned'</script><img src=x onerror="document.title='pwned'">`;

function deepSchema(levels: number): object {
  if (levels === 0) return { type: 'string', description: SCRIPT };
  return { type: 'object', properties: { [`level${levels}`]: deepSchema(levels - 1) } };
}

/** Creates a schema of three megabytes. */
function wideSchema(): object {
  const field = { type: 'string', description: `${SCRIPT} ${'x'.repeat(100)}` };
  return {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`f${at}`, field])),
  };
}

const DOCUMENT = {
  openapi: '3.0.3',
  info: {
    title: SCRIPT,
    version: '1',
    description: `# Title\n\n${SCRIPT}\n\n[click](javascript:document.title='pwned')`,
  },
  paths: {
    '/page': {
      get: {
        operationId: 'getPage',
        tags: [SCRIPT],
        summary: SCRIPT,
        description: `${SCRIPT}\n\n![x](https://elsewhere.example/x.png) [a](data:text/html,x) <!-- hidden -->`,
        parameters: [{ name: `"><b>`, in: 'query', description: SCRIPT, schema: { type: 'string', enum: [SCRIPT] } }],
        responses: { 200: { description: SCRIPT, content: { 'text/html': { example: SCRIPT } } } },
      },
    },
    '/deep': {
      post: {
        operationId: 'postDeep',
        requestBody: { content: { 'application/json': { schema: deepSchema(90) } } },
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: wideSchema() } } } },
      },
    },
    '/tree': {
      post: {
        operationId: 'postTree',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
  components: {
    schemas: {
      Tree: {
        type: 'object',
        properties: { name: { type: 'string', nullable: true }, child: { $ref: '#/components/schemas/Tree' } },
      },
    },
  },
};

let service: HttpService;
let portal: PortalUnderTest;
let open: BrowserPage;

beforeAll(async () => {
  service = await serveHttp((_, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'tollgate-portal=stolen' }).end(SCRIPT);
  });
  const file = join(temporaryFolder(), 'hostile.openapi.json');
  writeFileSync(file, JSON.stringify(DOCUMENT));
  portal = await startPortalPages({
    settings: { upstreams: [{ name: 'hostile', openapi: file, targets: [service.url] }] },
  });
  const accountId = await portal.account('acme');
  await (await portal.signInAs(accountId)).post('/api/keys', { name: 'Key' });
  open = await portal.openAs(accountId);
});

afterAll(async () => {
  await portal.stop();
  await service.close();
});

test('markup in a document is shown as text', async () => {
  await open.show('/reference');
  await open.page.getByText(`<script>document.title='pwned'</script>`).first().waitFor();
  await open.show('/reference/getPage');
  await open.page.getByRole('heading', { name: `<script>document.title='pwned'</script>` }).waitFor();
  expect(
    await open.page.locator('main a[href^="javascript"], main a[href^="data"], main img, main script').count(),
  ).toBe(0);
  expect(await open.page.getByText('hidden').count()).toBe(0);
});

test('an HTML response of a service is shown as text and sets no cookie', async () => {
  await open.page.getByRole('button', { name: 'Send GET' }).click();
  const response = open.page.getByRole('article', { name: 'Response', exact: true });
  await response.getByText(`<script>document.title='pwned'</script>`).waitFor();
  expect(await response.locator('script, img').count()).toBe(0);
  expect(await response.textContent()).not.toContain('stolen');
  const cookies = await open.context.cookies();
  expect(cookies.map(({ value }) => value)).not.toContain('stolen');
});

test('a recursive schema is shown as a reference to itself', async () => {
  await open.show('/reference/postTree');
  await open.page.getByText('string or null').waitFor();
  await open.page.getByText('The same fields as Tree, which contains it.').waitFor();
  await open.page.getByRole('link', { name: 'Tree', exact: true }).click();
  const { pathname, search } = new URL(open.page.url());
  expect(pathname + search).toBe('/reference/postTree?at=body');
});

test('a schema with ninety levels or three megabytes is shown in parts', async () => {
  await open.show('/reference/postDeep');
  await open.page.getByText('level90', { exact: true }).waitFor();
  for (let level = 89; level >= 85; level--) {
    // Wait until the next level is shown before the next click.
    await open.page.getByText('Show 1 field').last().click();
    await open.page.getByText(`level${level}`, { exact: true }).waitFor();
  }
  // Press the button with the keyboard, because it moves while the fields above it get their heights.
  await open.page.getByRole('button', { name: 'Show more (14,850 fields left)' }).press('Enter');
  await open.page.getByText('f299', { exact: true }).first().waitFor();
});

test('no markup of the document or of a response was executed', async () => {
  expect(await open.page.title()).not.toBe('pwned');
  expect(await open.pageErrors()).toEqual([]);
});
