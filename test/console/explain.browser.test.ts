import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { findVisualProblems } from '../support/browser/visual-checks.ts';
import { type ConsoleUnderTest, VIEWER_TOKEN } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

/**
 * An operator reads why a request was refused, fixes the cause beside the explanation, and copies a reply for the
 * customer.
 */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  ({ console, open, page } = await startOnePage());
  await open.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterAll(() => stopAndExpectNoErrors(console, open));

interface NewKey {
  readonly id: string;
  readonly key: string;
}

async function createKey(plan: string, owner = 'acme'): Promise<NewKey> {
  const body = JSON.stringify({ name: 'Shop', owner, plan });
  return (await (await console.gateway.admin('/v1/keys', { method: 'POST', body })).json()) as NewKey;
}

async function ban({ id }: NewKey): Promise<void> {
  const body = JSON.stringify({ seconds: 3600, reason: 'a secret reason' });
  await console.gateway.admin(`/v1/keys/${id}/ban`, { method: 'PUT', body });
}

/** Makes a request that is refused, and waits until it can be explained. */
async function refused({ key }: NewKey, requestId: string): Promise<void> {
  await (await console.gateway.call('/pets/7', { key, headers: { 'X-Request-Id': requestId } })).text();
  await until(async () => (await console.gateway.admin(`/v1/requests/${requestId}`)).ok);
}

const readClipboard = () => page.evaluate<string>('navigator.clipboard.readText()');

test('a ban can be lifted beside its explanation, and the reply to copy then says that calls are possible', async () => {
  const key = await createKey('free');
  await ban(key);
  await refused(key, 'of-a-ban');
  await open.show('/requests?id=of-a-ban');
  const card = page.getByRole('article');
  await card.getByRole('heading', { name: 'GET /pets/{petId}' }).waitFor();
  await card.getByText('Refused with 403 key_banned', { exact: true }).waitFor();
  const sentences = await card.locator('p').allInnerTexts();
  expect(sentences[0]).toMatch(/^An operator banned the key/);
  expect(sentences[1]).toMatch(/^What to do: /);
  await card.getByText('The ban ends in').waitFor();
  expect(await card.getByRole('button', { name: 'Change the plan…' }).count()).toBe(0);
  expect(await findVisualProblems(open)).toEqual([]);

  const copy = card.getByRole('region', { name: 'Reply to the customer' }).getByRole('button');
  await copy.click();
  await card.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await readClipboard()).toMatch(/^Your request GET \/pets\/\{petId\} at .*Your key is banned until /s);
  expect(await readClipboard()).not.toContain('a secret reason');

  await card.getByRole('button', { name: 'Lift the ban…' }).click();
  await page.getByText('Strikes (requests made without waiting for Retry-After').waitFor();
  await page.getByLabel('Reason').fill('resolved');
  await page.getByRole('button', { name: 'Lift the ban', exact: true }).click();
  await page.getByText('Ban lifted: Shop').waitFor();
  await card.getByText('Not banned, and within its limits.').waitFor();
  expect(await card.getByRole('button', { name: 'Lift the ban…' }).count()).toBe(0);
  await copy.click();
  await until(async () => (await readClipboard()).includes('You can call again now.'));
});

test('the plan of a key can be changed beside the explanation of its limit', async () => {
  const limits = { minute: 1, day: 1 };
  const body = JSON.stringify({ id: 'tiny', name: 'Tiny', limits });
  await console.gateway.admin('/v1/plans', { method: 'POST', body });
  const key = await createKey('tiny');
  await console.gateway.call('/pets', { key: key.key });
  await refused(key, 'of-a-limit');
  await open.show('/requests?id=of-a-limit');
  const card = page.getByRole('article');
  await card.getByText('The limit for this day is used up.').waitFor();
  expect(await card.getByRole('button', { name: 'Lift the ban…' }).count()).toBe(0);
  await card.getByRole('button', { name: 'Change the plan…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Choose a plan.', { exact: true }).waitFor();
  await dialog.getByLabel('Plan').selectOption('Pro (300 a minute, 10,000 a day)');
  await dialog.getByLabel('Reason').fill('upgrade');
  await dialog.getByRole('button', { name: 'Move to Pro' }).click();
  await page.getByText(/^Moved to .*: Shop$/).waitFor();
  await card.getByText('Not banned, and within its limits.').waitFor();
});

test('the latest refusals of all keys are listed and can be filtered', async () => {
  const account = { owner: 'fabrikam', name: 'Fabrikam Ltd', email: null, plan: 'free' };
  await console.gateway.admin('/v1/accounts', { method: 'POST', body: JSON.stringify(account) });
  const key = await createKey('free', 'fabrikam');
  await ban(key);
  await refused(key, 'of-fabrikam');
  await open.show('/requests');
  const rows = page.getByRole('table', { name: 'Refused requests, newest first' }).locator('tbody tr');
  const newest = rows.first();
  await newest.getByRole('link', { name: 'Fabrikam Ltd' }).waitFor();
  await newest.getByRole('cell', { name: '403 key_banned', exact: true }).waitFor();
  expect(await rows.count()).toBeGreaterThan(1);
  expect(await findVisualProblems(open)).toEqual([]);

  await page.getByLabel('Reason').selectOption('Reason: Daily or monthly limit reached');
  await until(async () => (await rows.count()) === 1);
  await page.getByLabel('Reason').selectOption('Reason: all');
  await page.getByLabel('Owner').fill('fabrikam');
  await until(async () => (await rows.count()) === 1);
  await newest.getByRole('link', { name: /GET \/pets/ }).click();
  await page.getByRole('article').getByText('Refused with 403 key_banned', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Refused requests' }).click();
  await newest.waitFor();
  expect(await page.getByLabel('Owner').inputValue()).toBe('fabrikam');
  expect(await rows.count()).toBe(1);

  await open.show('/owners/fabrikam');
  await page.getByRole('link', { name: 'Refused requests' }).click();
  await newest.waitFor();
  expect(await rows.count()).toBe(1);

  await page.getByLabel('Owner').fill('');
  await until(async () => (await rows.count()) > 1);
  await page.getByLabel('Operation').fill('listPets');
  await page.getByText('No matching refusals').waitFor();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await newest.waitFor();
  await page.getByLabel('Key').fill(key.id);
  await page.getByRole('button', { name: 'Key: Shop. Show all keys' }).waitFor();
  await until(async () => (await rows.count()) === 1);
});

test('a filter for something that does not exist is reported, and the list of refusals keeps its rows', async () => {
  const key = await createKey('free', 'initech');
  await ban(key);
  await refused(key, 'of-initech');
  await open.show('/requests');
  const rows = page.getByRole('table', { name: 'Refused requests, newest first' }).locator('tbody tr');
  await page.getByLabel('Owner').fill('initech');
  await until(async () => (await rows.count()) === 1);
  const faults = page.getByRole('status').filter({ hasText: 'There is no' });
  for (const [label, fault] of [
    ['Owner', 'There is no owner “nobody”. Ids are case-sensitive.'],
    ['Operation', 'There is no operation “nobody”. Ids are case-sensitive.'],
    ['Key', 'There is no key “nobody”. Ids are case-sensitive.'],
  ] as const) {
    const before = await page.getByLabel(label, { exact: true }).inputValue();
    await page.getByLabel(label, { exact: true }).fill('nobody');
    await faults.getByText(fault).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await findVisualProblems(open)).toEqual([]);
    await page.getByLabel(label, { exact: true }).fill(before);
    await faults.waitFor({ state: 'detached' });
  }
  // A bookmarked URL shows the same, although no list was shown before.
  await open.show('/requests?owner=nobody&operation=getPet');
  await faults.waitFor();
  await rows.first().waitFor();
});

test('each explanation leads back to the list of refusals from which it was opened', async () => {
  const key = await createKey('free', 'umbrella');
  await ban(key);
  await refused(key, 'of-umbrella');
  const filters = `key=${key.id}&owner=umbrella&code=key_banned&operation=getPet`;
  await open.show(`/requests?${filters}`);
  await page.getByRole('link', { name: /GET \/pets/ }).click();
  await page.getByRole('article').waitFor();
  await page.getByRole('link', { name: 'Refused requests' }).click();
  await page.locator('tbody tr').first().waitFor();
  const [, query = ''] = page.url().split('?');
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual(Object.fromEntries(new URLSearchParams(filters)));

  await open.show(`/keys/${key.id}`);
  const recent = page.getByRole('region', { name: 'Recent refusals' });
  await recent.getByRole('link', { name: /GET \/pets/ }).click();
  await page.getByRole('link', { name: 'Refused requests' }).click();
  await page.getByRole('button', { name: 'Key: Shop. Show all keys' }).waitFor();
});

test('viewers can copy the reply for a customer but cannot make changes', async () => {
  const key = await createKey('free');
  await ban(key);
  await refused(key, 'for-viewers');
  const viewer = await console.open({ token: VIEWER_TOKEN, at: '/requests?id=for-viewers' });
  const card = viewer.page.getByRole('article');
  await card.getByText('The ban ends in').waitFor();
  expect(await card.getByRole('button').allInnerTexts()).toEqual(['Copy']);
  await viewer.close();
});

test('refusals of the same call with the same key are one row, and older ones are loaded on request', async () => {
  const key = await createKey('free', 'hooli');
  await ban(key);
  for (let call = 0; call < 5; call++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, because the test asserts their order
    await refused(key, `same-${call}`);
  }
  await open.show('/requests?owner=hooli');
  await page.getByText('4 more refusals like this since').waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);

  // The pages have only one refusal, so that a few refusals fill several pages.
  await page.route(/\/v1\/requests\?/, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/limit=\d+/, 'limit=1'),
    }),
  );
  const other = await createKey('free', 'hooli');
  await ban(other);
  await refused(other, 'another');
  await page.reload();
  await page.getByText('3 more refusals like this since').waitFor();
  await page.getByRole('button', { name: 'Show older refusals' }).click();
  await page.getByText('4 more refusals like this since').waitFor();
  expect(await page.getByRole('button', { name: 'Show older refusals' }).count()).toBe(0);
  await page.unrouteAll();

  await page.getByRole('link', { name: /more refusals? like this/ }).click();
  await page.getByRole('button', { name: /^Key: Shop/ }).waitFor();
  expect(page.url()).toContain('code=key_banned');
});
