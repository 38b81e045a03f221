/**
 * If the document has several megabytes, the page of an operation loads only that operation and the list of all
 * operations.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { type HttpService, serveHttp } from '../support/services/http-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

const OPERATIONS = 600;
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Large', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, at) => [
      `/things${at}`,
      {
        post: {
          operationId: `op${at}`,
          tags: [`Group ${at % 20}`],
          summary: `Do thing ${at}`,
          description: `What it does. ${`Detail ${at}. `.repeat(200)}`,
          requestBody: json(ref(at === 1 ? 'Huge' : `Thing${at}`)),
          responses: { 200: { description: 'Done.', ...json(at === 0 ? ref('Huge') : ref(`Thing${at}`)) } },
        },
      },
    ]),
  ),
  components: {
    schemas: {
      ...Object.fromEntries(
        Array.from({ length: OPERATIONS }, (_, at) => [
          `Thing${at}`,
          {
            type: 'object',
            properties: {
              [`own_${at}`]: { type: 'string', description: 'Some text. '.repeat(200) },
              next: ref(`Thing${(at + 1) % 5}`),
            },
          },
        ]),
      ),
      Huge: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 3000 }, (_, at) => [
            `huge_${at}`,
            { type: 'string', description: 'Some text. '.repeat(10) },
          ]),
        ),
      },
    },
  },
};

let service: HttpService;
let portal: PortalUnderTest;
let open: BrowserPage;
/** The requests to the portal's API for parts of the reference, with the uncompressed size of the responses. */
let requested: { readonly path: string; bytes: number }[] = [];
const paths = () => requested.map(({ path }) => path).sort();

beforeAll(async () => {
  service = await serveHttp((_, res) => {
    res.end('{}');
  });
  const file = join(temporaryDirectory(), 'large.openapi.json');
  writeFileSync(file, JSON.stringify(DOCUMENT));
  portal = await startPortalPages({
    settings: { portal: { public: true }, upstreams: [{ name: 'large', openapi: file, targets: [service.url] }] },
  });
  open = await portal.open('/access');
  open.page.on('response', async (response) => {
    const { pathname, search } = new URL(response.url());
    if (!pathname.startsWith('/api/public/reference/')) return;
    const one = { path: pathname.slice('/api/public/'.length) + search, bytes: 0 };
    requested.push(one);
    one.bytes = (await response.body().catch(() => Buffer.alloc(0))).length;
  });
});

afterAll(async () => {
  const faults = await open.pageErrors();
  await portal.stop();
  await service.close();
  expect(faults).toEqual([]);
});

test('the page of an operation loads only the list of operations and its own part of the document', async () => {
  await open.show('/reference/op300');
  await open.page.getByText('own_300', { exact: true }).first().waitFor();
  expect(paths()).toEqual(['reference/index', 'reference/part?operation=op300']);
  const size = JSON.stringify(DOCUMENT).length;
  const loaded = requested.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(size).toBeGreaterThan(3_000_000);
  expect(loaded).toBeGreaterThan(10_000);
  expect(loaded).toBeLessThan(size / 20);
});

/** A script that delays the messages by which React continues an interrupted render. */
const HOLD_TURNS = `{
  const { postMessage } = MessagePort.prototype;
  const held = [];
  MessagePort.prototype.postMessage = function (...message) { held.push(() => postMessage.apply(this, message)); };
  window.resumeTurns = () => {
    MessagePort.prototype.postMessage = postMessage;
    for (const resume of held) resume();
  };
}`;

// An operation with a hundred fields was once rendered at once, which blocked the page for 200 ms.
test('an operation is rendered in steps, so that the page still responds', async () => {
  const { page } = open;
  const isWanted = Promise.withResolvers<void>();
  await page.route('**/reference/part?operation=op310', async (route) => {
    await isWanted.promise;
    await route.continue();
  });
  const response = page.waitForResponse('**/reference/part?operation=op310');
  await page.evaluate('history.pushState(null, "", "/reference/op310")');
  await page.getByRole('status', { name: 'Loading the operation' }).waitFor();
  await page.evaluate(HOLD_TURNS);
  isWanted.resolve();
  await (await response).finished();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))');
  expect(await page.getByText('own_310', { exact: true }).count()).toBe(0);
  await page.evaluate('resumeTurns()');
  await page.getByText('own_310', { exact: true }).first().waitFor();
  await open.show('/reference/op300');
});

test('the next operation loads only its own part, and one that was shown before loads nothing', async () => {
  requested = [];
  await open.page.getByRole('navigation', { name: 'Other operations' }).getByText('Do thing 320').click();
  await open.page.getByText('own_320', { exact: true }).first().waitFor();
  expect(paths()).toEqual(['reference/part?operation=op320']);
  await open.page.goBack();
  await open.page.getByText('own_300', { exact: true }).first().waitFor();
  expect(paths()).toEqual(['reference/part?operation=op320']);
});

/** Returns true if the center of an element is visible, so that nothing clips or covers it. */
const isUncovered = (what: Locator) =>
  what.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
    return top !== null && element.contains(top);
  });

test.each([1440, 1024, 390])('at %d px, the logo and the filter stay in view while the list scrolls', async (width) => {
  for (const dark of [false, true]) {
    const narrow = width < 860;
    // oxlint-disable-next-line no-await-in-loop -- pages of one browser, one after the other
    const one = await portal.open('/reference/op400', { width, dark });
    const { page } = one;
    const logo = page
      .getByRole('banner')
      .or(page.getByRole('complementary'))
      .locator('svg[viewBox="0 0 32 32"]:visible');
    await page.evaluate('scrollTo(0, 400)');
    expect(await isUncovered(logo)).toBe(true);
    if (narrow) await page.getByRole('button', { name: 'Open the navigation' }).click();
    const list = page.getByRole('navigation', { name: 'Screens' });
    const last = list.getByRole('link', { name: 'Do thing 580' });
    await last.scrollIntoViewIfNeeded();
    await until(async () => isUncovered(last));
    const filter = list.getByRole('searchbox', { name: 'Filter the operations of the reference' });
    expect(await isUncovered(filter)).toBe(true);
    if (!narrow) expect(await isUncovered(logo)).toBe(true);
    // Axe's other checks would report elements that have scrolled below the filter as too small.
    expect(await one.colorFindings()).toEqual([]);
    expect(await one.overflow()).toBeLessThanOrEqual(0);
    await one.close();
  }
});

test('the search finds a field of another operation and opens that operation', async () => {
  requested = [];
  await open.page.keyboard.press('/');
  await open.page.getByRole('combobox').fill('own_599');
  await open.page.getByRole('option', { name: 'own_599' }).waitFor();
  expect(paths()).toEqual(expect.arrayContaining(['reference/search']));
  await open.page.keyboard.press('Enter');
  await open.page.waitForURL('**/reference/op599?field=own_599');
  await open.page.locator('[id="part-body.own_599"]:focus').waitFor();
  expect(paths()).toContain('reference/part?operation=op599');
  expect(paths()).not.toContain('reference');
});

test('a large schema is loaded on request', async () => {
  await open.show('/reference/op0');
  requested = [];
  await open.page.getByRole('button', { name: 'Load the fields of Huge' }).click();
  await open.page.getByText('huge_149', { exact: true }).waitFor();
  expect(paths()).toEqual(['reference/part?schema=Huge']);
});

test('a sample body is an empty object if its schema is not loaded, and the page says so', async () => {
  await open.show('/reference/op1');
  await open.page
    .getByText('This body is empty, because the schema Huge is large. To see its fields, load them under Body.')
    .waitFor();
  expect(await open.page.locator('#part-samples').textContent()).toContain("'{}'");
});

test('other pages load nothing of the reference', async () => {
  requested = [];
  for (const address of ['/', '/plans', '/docs/limits']) {
    // oxlint-disable-next-line no-await-in-loop -- the same page shows one address after the other
    await open.show(address);
  }
  expect(paths()).toEqual([]);
});
