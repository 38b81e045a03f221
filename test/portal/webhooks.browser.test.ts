import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { until } from '../support/until.ts';
import { Endpoint, type ReceivedRequest } from '../support/webhooks/endpoint.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

/**
 * A consumer adds a webhook, tests it, receives an event for a new key, fixes the endpoint after a failure, selects
 * event types, and disables the webhook. The endpoint verifies signatures with the library that consumers use.
 */
let portal: PortalUnderTest;
let endpoint: Endpoint;
let open: BrowserPage;
let page: Page;
let secret = '';

beforeAll(async () => {
  endpoint = await Endpoint.start();
  portal = await startPortalPages({ settings: { events: { allowPrivate: true } } });
  open = await portal.openAs(await portal.account('acme', { name: 'Acme Ltd.' }));
  ({ page } = open);
});

afterAll(async () => {
  const faults = await open.pageErrors();
  await portal.stop();
  await endpoint.stop();
  expect(faults).toEqual([]);
});

test('a webhook is added only with a valid URL, and its secret is shown once', async () => {
  await open.show('/webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByLabel('URL').fill('ftp://x');
  await page.getByLabel('Description').focus();
  const refused = page.getByText('Enter an address that begins with http:// or https://.');
  await refused.waitFor();
  await page.getByLabel('URL').fill('http');
  await page.getByRole('button', { name: 'Add the webhook' }).click();
  expect(await page.getByLabel('URL').evaluate((field) => field.matches(':focus'))).toBe(true);
  expect(await refused.isVisible()).toBe(true);
  await page.getByLabel('URL').fill(`${endpoint.url}#no`);
  expect(await refused.count()).toBe(0);
  await page.getByRole('button', { name: 'Add the webhook' }).click();
  await page.getByText('The URL must not have a fragment.').waitFor();
  await page.getByLabel('URL').fill(endpoint.url);
  await page.getByLabel('Description').fill('Shop backend');
  await page.getByRole('button', { name: 'Add the webhook' }).click();
  await takeSecret();
  await page.getByRole('heading', { name: 'Shop backend' }).waitFor();
  await page.getByText('No events sent yet.').waitFor();
});

test('the search finds a webhook by its description', async () => {
  await page.keyboard.press('Control+k');
  // Wait until the dialog has moved the focus to the field, because text that is inserted before can be lost.
  await page.locator('[role="combobox"]:focus').waitFor();
  await page.getByRole('combobox').fill('shop back');
  await page.getByRole('option', { name: /Shop backend/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Shop backend' }).waitFor();
});

test('a test event arrives with a valid signature', async () => {
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('Delivered.').waitFor();
  expect(verifiedPayload(endpoint.requests.at(-1))).toMatchObject({ type: 'webhook.test' });
  await page.getByText('The last delivery succeeded.').waitFor();
});

test('the creation of a key sends an event', async () => {
  const { pathname: address } = new URL(page.url());
  await open.show('/keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('New key');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByText('This is shown only once.').waitFor();
  const created = await findRequest('key.created');
  expect(verifiedPayload(created)).toMatchObject({ data: { name: 'New key', owner: 'acme' } });
  expect(created.body).not.toMatch(/tg_live_\w{38}/);
  await open.show(address);
  await findRow('key.created').getByText('Delivered').waitFor();
});

test('a failed delivery shows the response as text, and can be repeated when the endpoint works again', async () => {
  endpoint.respond = (_, res) => res.writeHead(500).end(`<script>document.title='pwned'</script>`);
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('Not delivered.').waitFor();
  await page.getByText('Last attempt failed', { exact: true }).waitFor();
  await page.getByText(`<script>document.title='pwned'</script>`).waitFor();
  expect(await page.locator('main script').count()).toBe(0);
  expect(await page.title()).not.toBe('pwned');
  endpoint.respond = (_, res) => res.writeHead(204).end();
  await page.getByLabel('State').selectOption('failed');
  await findRow('webhook.test').getByRole('button').click();
  await page.getByRole('article', { name: 'Attempt 1' }).getByText('500').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('article', { name: 'Attempt 2' }).getByText('204').waitFor();
  await page.getByText('Working', { exact: true }).waitFor();
  const request = await page.getByRole('article', { name: 'Request' }).innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  const [, failed, again] = endpoint.requests.filter(({ body }) => body.includes('webhook.test'));
  expect(again?.headers['webhook-id']).toBe(failed?.headers['webhook-id']);
  expect(verifiedPayload(again)).toMatchObject({ type: 'webhook.test' });
  expect(request).toContain(`webhook-id: ${String(again?.headers['webhook-id'])}`);
  expect(request).toContain('"type": "webhook.test"');
});

test('the event types of a webhook can be selected', async () => {
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByRole('radio', { name: 'Only some' }).check();
  await page.getByRole('checkbox', { name: /^key\.revoked/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'key.revoked' }).click();
  await page.getByRole('heading', { name: 'key.revoked' }).waitFor();
  await page.getByRole('link', { name: 'Next key.rotated' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Shop backend' }).waitFor();
  const { items } = await portal.admin('GET', '/v1/webhooks');
  expect(items).toMatchObject([{ description: 'Shop backend', types: ['key.revoked'] }]);
});

test('a webhook can be disabled and enabled again', async () => {
  await page.getByRole('button', { name: 'Disable…' }).click();
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByText('Until it is enabled, it receives no events').waitFor();
  await page.getByRole('button', { name: 'Enable…' }).click();
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.getByText('The last delivery succeeded.').waitFor();
});

test('a user signed in with a key can read about events, but cannot see webhooks', async () => {
  const viewer = await portal.open('/webhooks');
  await viewer.page.getByLabel('API key').fill(portal.gateway.demoKey);
  await viewer.page.getByRole('button', { name: 'Sign in with this key' }).click();
  await viewer.page.getByText('Sign in to your account to see and add webhooks').waitFor();
  expect(await viewer.page.getByRole('main').getByRole('button').count()).toBe(0);
  await viewer.show('/events');
  await viewer.page.getByRole('link', { name: /^quota\.threshold/ }).click();
  await viewer.page.getByText('"window": "day"').waitFor();
  expect(await viewer.pageErrors()).toEqual([]);
  await viewer.close();
});

/** Copies the shown secret and closes its dialog. Asserts that the secret does not remain on the page. */
async function takeSecret(): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Webhook secret' });
  secret = (await dialog.locator('code').first().textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
}

/** Returns the payload of a request. Throws if the request is not signed with the secret. */
function verifiedPayload(request: ReceivedRequest | undefined): unknown {
  if (request === undefined) throw new Error('nothing arrived');
  return new Webhook(secret).verify(request.body, request.headers);
}

async function findRequest(type: string): Promise<ReceivedRequest> {
  const find = () => endpoint.requests.find(({ body }) => body.startsWith(`{"type":"${type}"`));
  await until(() => find() !== undefined);
  return find() as ReceivedRequest;
}

function findRow(type: string) {
  return page.getByRole('row').filter({ hasText: type }).first();
}
