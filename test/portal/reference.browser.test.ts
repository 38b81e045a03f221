import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer as readBuffer, text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { stringify } from 'yaml';
import { until } from '../support/until.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { petstore } from '../support/gateway/gateway.ts';
import { type HttpService, serveHttp } from '../support/services/http-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

const PHOTO = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0x80, 0x81]);
const BASKET = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'object', properties: { nextInLine: { type: 'string' } } } } },
};

/** A document for links to parts of the reference, and for operations with a cookie or a file. */
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'A service', version: '1' },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Bus: { type: 'object', properties: { kind: { type: 'string' } } },
      Train: { type: 'object', properties: { kind: { type: 'string' }, seat: { type: 'integer' } } },
    },
  },
  paths: {
    '/photo': {
      post: {
        operationId: 'putPhoto',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { required: ['photo'], properties: { photo: { type: 'string', format: 'binary' } } },
              encoding: { photo: { contentType: 'image/png' } },
            },
          },
        },
        responses: { 200: { description: 'the photo' } },
      },
    },
    '/ticket': {
      post: {
        operationId: 'buyTicket',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                oneOf: [{ $ref: '#/components/schemas/Bus' }, { $ref: '#/components/schemas/Train' }],
                discriminator: { propertyName: 'kind' },
              },
              examples: {
                bus: { summary: 'By bus', value: { note: 'by bus' } },
                plane: { summary: 'By plane', value: { note: 'by plane' } },
              },
            },
          },
        },
        responses: { 204: { description: 'bought' } },
      },
      put: {
        operationId: 'putTicket',
        security: [{ token: [] }],
        requestBody: {
          content: { 'text/plain': { example: 'paid' }, 'application/json': { example: { state: 'paid' } } },
        },
        responses: {
          200: {
            description: 'the ticket',
            content: { 'application/json': { example: { state: 'paid' } }, 'text/plain': { example: 'paid' } },
          },
          409: { description: 'It is used.' },
        },
      },
    },
    // This operation has neither id nor summary, and a parameter that spans slashes.
    '/files/{path}': {
      get: {
        parameters: [{ name: 'path', in: 'path', required: true, schema: { type: 'string' }, 'x-multi-segment': true }],
        responses: { 200: { description: 'the file' } },
      },
    },
    '/basket': {
      get: {
        operationId: 'getBasket',
        parameters: [
          { name: 'basket', in: 'cookie', required: true, example: 'b-1', schema: { type: 'string' } },
          { name: 'X-Region', in: 'header', schema: { type: 'string' } },
          { name: 'X-Forwarded-For', in: 'header', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'the basket', content: { 'application/json': { schema: BASKET } } } },
      },
    },
  },
};

let service: HttpService;
let portal: PortalUnderTest;
let accountId: string;
let open: BrowserPage;
let page: Page;
const seen: NodeJS.Dict<string | string[]>[] = [];

beforeAll(async () => {
  service = await serveHttp((req, res) => {
    if (req.url === '/photo') {
      void readBuffer(req).then((sent) => {
        const at = sent.indexOf('\r\n\r\n') + 4;
        res.writeHead(200, { 'Content-Type': 'image/png' }).end(sent.subarray(at, at + PHOTO.length));
      });
      return;
    }
    if (req.url?.startsWith('/files/') === true) {
      res.end(`the file at ${req.url}`);
      return;
    }
    seen.push(req.headers);
    res.end('{"items":[]}');
  });
  const file = join(temporaryDirectory(), 'service.openapi.yaml');
  writeFileSync(file, stringify(DOCUMENT));
  portal = await startPortalPages({
    settings: { upstreams: [petstore, { name: 'service', openapi: file, targets: [service.url] }] },
  });
  accountId = await portal.account('acme');
  await (await portal.signInAs(accountId)).post('/api/keys', { name: 'Key' });
  open = await portal.openAs(accountId);
  ({ page } = open);
});

afterAll(async () => {
  const faults = await open.pageErrors();
  await portal.stop();
  await service.close();
  expect(faults).toEqual([]);
});

/** Returns true if the center of an element is in the viewport and not covered or clipped. */
async function isShown(what: Locator): Promise<boolean> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await what.boundingBox()) ?? {};
  const there = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.textContent`;
  const words = await what.page().evaluate<string | undefined>(there);
  return words !== undefined && words !== '' && (await what.textContent())?.includes(words) === true;
}

test('after the sign-in, a link to a response opens the response and scrolls to it', async () => {
  const link = `/reference/listPets?at=answer-503`;
  for (const narrow of [false, true]) {
    const sent = await portal.open(link, narrow ? { width: 360 } : {});
    await sent.page.getByLabel('API key').fill(portal.gateway.demoKey);
    await sent.page.getByRole('button', { name: 'Sign in with this key' }).click();
    const response = sent.page.locator('details', { has: sent.page.getByText('503', { exact: true }) });
    await until(async () => isShown(response.locator('summary').first()));
    expect(await response.getAttribute('open')).not.toBeNull();
    expect(await sent.overflow()).toBeLessThanOrEqual(0);
    await sent.close();
  }
});

test('the body, the responses and each response have a link, which sets the URL', async () => {
  await open.show('/reference/createPet');
  for (const [label, at] of [
    ['Link to Body', 'body'],
    ['Link to Responses', 'answers'],
    ['Link to 415', 'answer-415'],
  ] as const) {
    await page.getByRole('link', { name: label }).click();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(`/reference/createPet?at=${at}`);
  }
  await page.getByText('The body is not application/json.').waitFor();
  expect(await page.locator('details[open]', { has: page.getByText('415') }).count()).toBeGreaterThan(0);
  expect(await open.findings()).toEqual([]);
});

test('the navigation tree shows the operations by service and tag, and can be filtered', async () => {
  await open.show('/reference/createPet');
  const tree = page.getByRole('navigation', { name: 'Screens' });
  await tree.getByRole('link', { name: /Create a pet/ }).waitFor();
  expect(await tree.getByRole('link', { name: 'Pet Store' }).count()).toBe(1);
  await tree.getByRole('button', { name: /^Orders/ }).click();
  await tree.getByRole('link', { name: /List orders/ }).waitFor();
  await tree.getByRole('searchbox').fill('basket');
  await tree.getByRole('link', { name: 'GET /basket' }).click();
  await page.getByRole('heading', { name: '/basket' }).waitFor();
  await tree.getByRole('searchbox').fill('');
});

test('the code follows the chosen media type, and the examples follow the chosen response and its media type', async () => {
  await open.show('/reference/putTicket');
  const [code, responses] = [page.getByLabel('curl sample'), page.getByLabel('Example responses')];
  await code.getByText("'Content-Type: application/json'").waitFor();
  const types = page.getByRole('tablist', { name: 'Media type' });
  await types.first().getByRole('tab', { name: 'text/plain' }).click();
  await code.getByText("'Content-Type: text/plain'").waitFor();
  expect(await page.getByLabel('Media type', { exact: true }).and(page.locator('select')).inputValue()).toBe(
    'text/plain',
  );
  await types.last().getByRole('tab', { name: 'text/plain' }).click();
  await responses.getByText('paid', { exact: true }).waitFor();
  await page.locator('summary', { hasText: '409' }).click();
  await responses.getByRole('tab', { name: '409', selected: true }).waitFor();
});

test('the code and the form follow a chosen variant and example, but an entered body is kept', async () => {
  await open.show('/reference/buyTicket');
  const code = page.getByLabel('curl sample');
  const body = page.getByRole('textbox', { name: /^Body/ });
  const example = page.getByRole('combobox', { name: 'Example' });
  await code.getByText('"by bus"').waitFor();
  await example.selectOption('By plane');
  await code.getByText('"by plane"').waitFor();
  const variants = page.getByRole('tablist', { name: 'Variants' });
  await variants.getByRole('tab', { name: 'Train' }).click();
  await code.getByText('"Train"').waitFor();
  expect(await body.inputValue()).toContain('"Train"');
  await body.fill('{"mine": 1}');
  await variants.getByRole('tab', { name: 'Bus' }).click();
  await code.getByText('"mine"').waitFor();
  expect(await body.inputValue()).toBe('{"mine": 1}');
  expect(await open.findings()).toEqual([]);
});

test('a path parameter that the code lacks leads to its field, and is gone when the field is filled', async () => {
  await open.show('/reference/deletePet');
  const placeholder = open.page.locator('#part-samples').getByRole('link', { name: '{petId}' });
  for (const language of ['curl', 'Python']) {
    // oxlint-disable-next-line no-await-in-loop -- one page
    await open.page.getByRole('button', { name: language }).click();
    // oxlint-disable-next-line no-await-in-loop
    await placeholder.waitFor();
  }
  expect(await open.findings()).toEqual([]);
  await placeholder.press('Enter');
  await open.page.locator('input[name="path petId"]:focus').waitFor();
  await open.page.keyboard.insertText('7');
  await open.page.locator('#part-samples').getByText('/pets/7').waitFor();
  expect(await placeholder.count()).toBe(0);
});

test('a credential of the service is sent with the call, and is not in the storage of the session', async () => {
  await open.show('/reference/putTicket');
  await page.getByLabel('Authorization').fill('s3cret');
  await page.getByRole('button', { name: 'Send PUT' }).click();
  await page.getByRole('article', { name: 'Response', exact: true }).getByText('200').waitFor();
  expect(seen.splice(0).at(-1)?.['authorization']).toBe('Bearer s3cret');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('s3cret');
  expect(await open.findings()).toEqual([]);
});

test('each operation links to the previous and the next one', async () => {
  await open.show('/reference/createPet');
  await page.getByRole('link', { name: 'Next Get a pet' }).click();
  await page.getByRole('heading', { name: 'Get a pet' }).waitFor();
  await page.getByRole('link', { name: 'Previous Create a pet' }).click();
  await page.getByRole('heading', { name: 'Create a pet' }).waitFor();
});

test('the search finds a field, and leads to it below its expanded parents', async () => {
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('nextInLine');
  await page.getByRole('option', { name: /Field nextInLine/ }).click();
  const field = page
    .getByRole('listitem')
    .filter({ has: page.getByText('nextInLine', { exact: true }) })
    .last();
  await until(async () => isShown(field.getByText('nextInLine', { exact: true })));
  await field.getByRole('link', { name: 'Link to nextInLine' }).click();
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe('/reference/getBasket?at=answer-200.items%5B%5D.nextInLine');
});

test('the downloaded document is the one that the gateway serves', async () => {
  await open.show('/reference');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download OpenAPI document' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('openapi.json');
  const text = await readText(await download.createReadStream());
  expect(JSON.parse(text)).toMatchObject({ 'x-tollgate-services': [{ name: 'petstore' }, { name: 'service' }] });
  const published = await portal.gateway.call('/_gateway/openapi.json');
  expect(JSON.parse(text)).toEqual(await published.json());
});

test('a link can select the language of the code samples, and a selected language is kept on other pages', async () => {
  await open.show('/reference/listPets?at=samples&language=go');
  await page.getByText('http.NewRequest("GET"').waitFor();
  await page.getByRole('button', { name: 'Python' }).click();
  await page.getByText('import requests').waitFor();
  expect(page.url()).toContain('language=python');
  await open.show('/reference/createPet');
  await page.getByText('import requests').waitFor();
});

test('on a phone, the links to the parts of a page are at its top', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open.show('/reference/createPet');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Try it' }).click();
  await until(async () => isShown(page.getByRole('heading', { name: 'Try it' })));
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the operation to revoke a key has code samples but cannot be called from the portal', async () => {
  await open.show('/reference/revokeGatewayKey?language=curl');
  await page.getByText('-X POST').waitFor();
  await page.getByText('This cannot be called from the portal').waitFor();
  expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
  expect(await open.findings()).toEqual([]);
});

test('a cookie parameter is in the code sample, but a call from the page is sent without it', async () => {
  await open.show('/reference/getBasket?language=curl');
  await page.getByText('Cookie: basket=b-1').waitFor();
  await page.getByText('This is a cookie. The code above sends it, but calls from this page do not.').waitFor();
  await page.getByRole('textbox', { name: 'basket' }).fill('');
  await page.getByRole('textbox', { name: 'X-Region' }).fill('north');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await page.getByRole('article', { name: 'Response', exact: true }).getByText('"items"').waitFor();
  await page.getByRole('textbox', { name: 'basket' }).fill('b-2');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await until(() => seen.length === 2);
  for (const headers of seen) {
    expect(headers).toMatchObject({ 'x-region': 'north' });
    expect(headers).not.toHaveProperty('cookie');
  }
  expect(await open.findings()).toEqual([]);
});

test('an operation without an id is shown by its method and path, and its parameter can contain slashes', async () => {
  await open.show(`/reference/${encodeURIComponent('GET /files/{path}')}?language=curl`);
  const heading = page.getByRole('heading', { name: '/files/{path}', exact: true });
  await heading.waitFor();
  const head = page.locator('main header').filter({ has: heading });
  expect((await head.innerText()).split('/files/{path}')).toHaveLength(2);
  await page.getByRole('textbox', { name: 'path' }).fill('guides/first steps');
  await page.getByText('/files/guides/first%20steps').first().waitFor();
  await page.getByRole('button', { name: 'Send GET' }).click();
  const response = page.getByRole('article', { name: 'Response', exact: true });
  await response.getByText('the file at /files/guides/first%20steps').waitFor();
  expect(await open.findings()).toEqual([]);
});

// The page once offered to explain responses of the service, which the portal cannot explain.
test('an error response of the service has no link to an explanation', async () => {
  await open.show('/reference/getPet');
  await page.getByRole('textbox', { name: 'petId' }).fill('404404');
  await page.getByRole('button', { name: 'Send GET' }).click();
  const response = page.getByRole('article', { name: 'Response', exact: true });
  await response.getByText('"code": "pet_not_found"').waitFor();
  expect(await response.getByRole('link').count()).toBe(0);
});

test('a response can be collapsed and searched, its headers are explained, and the form can be filled in again', async () => {
  await open.show('/reference/listPets');
  await page.getByRole('textbox', { name: 'limit' }).fill('20');
  await page.getByRole('button', { name: 'Send GET' }).click();
  const response = page.getByRole('article', { name: 'Response', exact: true });
  await response.getByText('200 OK').waitFor();
  await response.getByText(/^[\d.]+ (?:B|kB)$/).waitFor();
  await response.getByText(/^Headers \(/).click();
  await response.getByText('Units left in that window.').waitFor();
  const lines = response.getByRole('group', { name: 'Body' });
  await lines.getByRole('button').first().click();
  expect(await lines.getByText('"name"').count()).toBe(0);
  await response.getByRole('searchbox').fill('"name"');
  await response.getByText(/^1 of \d+$/).waitFor();
  await until(async () => isShown(lines.getByText('"name"').first()));
  await page.getByRole('textbox', { name: 'limit' }).fill('1');
  await page.getByText(/^Your calls in this tab/).click();
  expect(await open.findings()).toEqual([]);
  await page.getByRole('button', { name: 'Fill in again' }).first().click();
  expect(await page.getByRole('textbox', { name: 'limit' }).inputValue()).toBe('20');
});

test('a form with a file can be sent, and a binary response can be downloaded', async () => {
  await open.show('/reference/putPhoto?language=curl');
  await page.getByText('photo=@photo.png;type=image/png').waitFor();
  await page.getByRole('button', { name: 'Send POST' }).click();
  await page.getByText('The call was not sent. Choose a file for photo.').waitFor();
  await page
    .getByLabel('photo', { exact: true })
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PHOTO });
  await page.getByRole('button', { name: 'Send POST' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('response.png');
  expect(await readBuffer(await download.createReadStream())).toEqual(PHOTO);
  // While the page is scrolled, the top bar covers a part of a button.
  await page.evaluate('scrollTo(0, 0)');
  expect(await open.findings()).toEqual([]);
});

test('the page scrolls to the response, and says why a call cannot be sent', async () => {
  await open.show('/reference/listPets');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await until(async () => isShown(page.getByText(/of 60 units left/)));
  await open.show('/reference/getBasket');
  await page.getByRole('textbox', { name: 'X-Forwarded-For' }).fill('10.0.0.1');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await page.getByText('headers/X-Forwarded-For cannot be set here').waitFor();
});
