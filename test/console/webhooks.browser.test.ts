import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { type ConsoleUnderTest, startConsole, VIEWER_TOKEN } from './support/console.ts';
import { stopAndExpectNoErrors } from './support/one-page.ts';

const PUBLISHER_TOKEN = 'the-token-of-a-service-that-publishes';

/** Users find webhooks by account and status, and events by type, subject and time. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;
let accountId = '';
let webhookId = '';
let keyId = '';

beforeAll(async () => {
  const adminTokens = [
    { name: 'onlooker', role: 'viewer', token: '${VIEWER_TOKEN}' },
    { name: 'service', role: 'publisher', upstream: 'petstore', token: '${PUBLISHER_TOKEN}' },
  ];
  console = await startConsole({ settings: { adminTokens, events: { allowPrivate: true } }, env: { PUBLISHER_TOKEN } });
  accountId = (await post('/v1/accounts', { owner: 'acme', name: 'Acme Ltd.', email: null, plan: 'free' })).id;
  await post('/v1/webhooks', { url: 'http://127.0.0.1:1/ours', description: 'Pager', types: ['store.degraded'] });
  const theirs = { accountId, url: 'http://127.0.0.1:1/theirs', description: 'Shop', types: ['key.expiring'] };
  webhookId = (await post('/v1/webhooks', theirs)).id;
  await post(`/v1/webhooks/${webhookId}/test`);
  keyId = (await post('/v1/keys', { name: 'Of an event', owner: 'acme', plan: 'free' })).id;
  open = await console.open();
  ({ page } = open);
});

afterAll(() => stopAndExpectNoErrors(console, open));

async function post(path: string, body?: object): Promise<{ id: string }> {
  const init = { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await console.gateway.admin(path, init);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { id: string };
}

/** Reads the texts of the links in the rows. */
async function rows(): Promise<string[]> {
  const links = await page.locator('main [data-row-link]').allTextContents();
  return links.map((text) => text.trim());
}

test('webhooks can be filtered by account and status', async () => {
  await open.show('/webhooks');
  await until(async () => (await rows()).length === 2);
  await page.getByLabel('Belongs to').selectOption('none');
  await until(async () => (await rows()).length === 1);
  expect((await rows())[0]).toContain('Pager');
  await page.getByLabel('Belongs to').selectOption('');
  const row = page.getByRole('row', { name: /Shop/ });
  expect(await row.getByRole('link', { name: 'Acme Ltd.' }).getAttribute('href')).toContain('#/owners/acme');
  await open.show(`/webhooks?account=${accountId}`);
  await until(async () => (await rows()).length === 1);
  expect((await rows())[0]).toContain('Shop');
  await page.getByLabel('Status').selectOption('disabled');
  await page.getByText('No matching webhooks').waitFor();
  await page.getByRole('button', { name: 'Account: Acme Ltd.' }).click();
  await page.getByLabel('Status').selectOption('enabled');
  await until(async () => (await rows()).length === 2);
});

test('a viewer can see deliveries but has no buttons to make changes', async () => {
  const viewer = await console.open({ token: VIEWER_TOKEN, at: `/webhooks/${webhookId}` });
  await viewer.page.getByRole('button', { name: 'webhook.test' }).click();
  await viewer.page.getByRole('dialog').getByText('The connection was refused.').waitFor();
  expect(await changing(viewer.page)).toEqual([]);
  await viewer.page.getByRole('button', { name: 'Done' }).click();
  for (const at of [`/webhooks/${webhookId}`, '/webhooks', '/webhooks?do=create', '/events']) {
    await viewer.show(at);
    expect([at, await changing(viewer.page)]).toEqual([at, []]);
  }
  expect(await viewer.page.getByRole('dialog').count()).toBe(0);
  expect(await viewer.pageErrors()).toEqual([]);
  await viewer.close();
});

/** Lists the buttons that change or send something. Buttons that open a dialog end in an ellipsis. */
async function changing(of: Page): Promise<string[]> {
  const names = await of.evaluate<string[]>(
    "[...document.querySelectorAll('button')].map((one) => one.ariaLabel ?? one.textContent)",
  );
  return names.filter((name) => /…$|^(?:create|send|more that can be done)\b/i.test(name));
}

test('events can be filtered by type, subject and time, and the URL has the filters', async () => {
  await open.show('/events');
  await page.getByLabel('Type').selectOption('key.created');
  await page.getByLabel('Subject').fill(keyId);
  await until(async () => (await rows()).length === 1);
  expect(await rows()).toEqual(['key.created']);
  await page.getByLabel('From').fill('2001-01-01T00:00');
  await until(() => page.url().includes('from=2001-01-01') || page.url().includes('from=2000-12-31'));
  await until(async () => (await rows()).length === 1);
  await page.getByLabel('To', { exact: true }).fill('2001-01-02T00:00');
  await page.getByText('No matching events').waitFor();
  const sent = page.url();
  await open.show('/plans');
  await page.goto(sent);
  await page.getByText('No matching events').waitFor();
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2001-01-02T00:00');
  await page.getByLabel('To', { exact: true }).fill('');
  await until(async () => (await rows()).length === 1);
});

test('an event shows its deliveries with their results, and links to all attempts', async () => {
  await open.show(`/events?subject=${webhookId}`);
  await page.getByRole('button', { name: 'webhook.test' }).click();
  const deliveries = page.getByRole('region', { name: 'Deliveries of this event' });
  await deliveries.getByText('Failed').waitFor();
  expect(await deliveries.getByRole('listitem').count()).toBe(1);
  expect(await deliveries.textContent()).toContain('the connection was refused, ');
  await deliveries.getByRole('link', { name: 'Shop' }).click();
  await page.getByRole('article', { name: 'Attempt 1' }).waitFor();
  expect(page.url()).toContain(`/webhooks/${webhookId}?delivery=dlv_`);
  await open.show(`/events?subject=${keyId}`);
  await page.getByRole('button', { name: 'key.created' }).click();
  await deliveries.getByText('no webhook was subscribed to this type of event').waitFor();
});

test('large numbers in an event are shown exactly', async () => {
  const headers = { Authorization: `Bearer ${PUBLISHER_TOKEN}`, 'Content-Type': 'application/json' };
  const body = '{"type":"inventory.depleted","subject":"mine","data":{"petId":9007199254740993}}';
  const response = await fetch(`${console.gateway.adminUrl}/v1/events`, { method: 'POST', headers, body });
  expect(response.status).toBe(202);
  await open.show('/events?subject=mine');
  await page.getByRole('button', { name: 'inventory.depleted' }).click();
  await page.getByText('"petId": 9007199254740993').waitFor();
});

test('an event links to its subject and to all events of the subject', async () => {
  await open.show(`/events?subject=${webhookId}`);
  await page.getByRole('button', { name: 'webhook.test' }).click();
  await page.getByRole('link', { name: 'All events for this subject' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('row').last().getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Shop' }).waitFor();
});

test('the page of an owner shows the account, bans and webhooks', async () => {
  await console.gateway.admin(`/v1/keys/${keyId}/ban`, {
    method: 'PUT',
    body: JSON.stringify({ seconds: 600, reason: 'scraping' }),
  });
  await open.show('/owners/acme');
  await page.locator('main header').getByText('Acme Ltd.').waitFor();
  await page.getByRole('button', { name: 'Actions for Acme Ltd.' }).waitFor();
  const bans = page.getByRole('region', { name: 'Bans' });
  await bans
    .getByRole('row', { name: /Of an event.*scraping/ })
    .getByRole('button', { name: 'Lift…' })
    .waitFor();
  const webhooks = page.getByRole('region', { name: 'Webhooks' });
  await webhooks.getByRole('link', { name: /Shop/ }).waitFor();
  expect(await webhooks.getByText('Pager').count()).toBe(0);
  await bans.getByRole('link', { name: 'All bans of this owner' }).click();
  await page.getByRole('button', { name: 'Owner: acme' }).waitFor();
  await until(async () => (await rows()).length === 1);
  await open.show('/owners/nobody');
  await page.getByText('This owner does not exist').waitFor();
});

// This test is the last one, because earlier tests count deliveries.
test('the link to an older delivery opens it, and a link to a deleted one is reported', async () => {
  const { id } = await post(`/v1/webhooks/${webhookId}/test`);
  await post(`/v1/webhooks/${webhookId}/test`);
  await post(`/v1/webhooks/${webhookId}/test`);
  // The pages have only one delivery, so that a few deliveries fill several pages.
  await page.route(/\/deliveries\?/, (route) => route.continue({ url: withLimitOne(route.request().url()) }));
  await open.show(`/webhooks/${webhookId}?delivery=${id}`);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await open.show(`/webhooks/${webhookId}?delivery=dlv_none`);
  await page.getByText('was deleted, or is too old').waitFor();
  await page.unrouteAll();
});

function withLimitOne(url: string): string {
  return url.replace(/limit=\d+/, 'limit=1');
}

test('the page of a webhook begins with the last response, its attempts, and the test', async () => {
  await open.show(`/webhooks/${webhookId}`);
  const [response, attempts, deliveries] = ['Last response', 'Attempts', 'Deliveries'].map((name) =>
    page.getByRole('region', { name, exact: true }),
  );
  await response!.getByText('The connection was refused.').waitFor();
  // Other tests send test events to this webhook too.
  const summary = await attempts!.getByText(/^0% of \d+ attempts? succeeded since/).innerText();
  const count = Number(/of (\d+)/.exec(summary)?.[1]);
  await attempts!.getByRole('slider', { name: 'Delivered and failed attempts' }).focus();
  await page.keyboard.press('End');
  await attempts!.getByText('Failed').first().waitFor();
  const top = async (region: typeof response) => (await region!.boundingBox())!.y;
  expect(await top(response)).toBeLessThan(await top(deliveries));
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await response!.getByText('The test event was sent. Not delivered.').waitFor();
  await attempts!.getByText(`0% of ${count + 1} attempts succeeded since`).waitFor();
});
