import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';
import { until } from '../support/until.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';
import { chooseOwner } from './support/choose-owner.ts';

/** Operators hand over keys to consumers, rotate leaked keys, and look at keys whose quota is used up. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;
let keyId: string;

beforeAll(async () => {
  ({ console, open, page } = await startOnePage());
});

afterAll(() => stopAndExpectNoErrors(console, open));

async function post(path: string, body: object): Promise<{ id: string; key: string }> {
  const response = await console.gateway.admin(path, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as { id: string; key: string };
}

beforeEach(async () => {
  keyId = (await post('/v1/keys', { name: 'Shop', owner: 'acme', plan: 'free' })).id;
});

test('plans are offered with their limits, and a new key is shown with its owner and a command that works', async () => {
  await open.show('/keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Checkout');
  await chooseOwner(page, 'acme');
  expect(await page.getByText('A new owner. No key has it yet.').count()).toBe(0);
  await chooseOwner(page, 'globex');
  await page.getByText('A new owner. No key has it yet.').waitFor();
  const plan = page.getByRole('dialog').getByLabel('Plan');
  await plan.selectOption('Pro (300 a minute, 10,000 a day)');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New key “Checkout” for globex' });
  const command = await dialog.getByText('curl -H').innerText();
  const [, secret = '', url = ''] = /^curl -H 'X-API-Key: (\w+)' (\S+)$/.exec(command) ?? [];
  expect(url).toBe(`${console.gateway.url}/_gateway/usage`);
  const response = await fetch(url, { headers: { 'X-API-Key': secret } });
  expect(await response.json()).toMatchObject({ plan: 'pro' });
  await dialog.getByText('This is where the gateway listens. Set portal.apiUrl').waitFor();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Created: Checkout').waitFor();
  await page.getByRole('link', { name: 'Open the key' }).click();
  await page.getByRole('heading', { name: 'Checkout' }).waitFor();
});

test('the disabled button to create a key names the missing field, and custom limits are explained', async () => {
  await open.show('/keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  const button = dialog.getByRole('button', { name: 'Create the key' });
  const expectNeed = async (need: string) => {
    await dialog.getByText(need, { exact: true }).waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await button.evaluate((element) => element.ariaDescribedByElements?.[0]?.textContent)).toBe(need);
  };
  await expectNeed('Enter a name.');
  await dialog.getByLabel('Name', { exact: true }).fill('Feed');
  await expectNeed('Enter an owner.');
  await chooseOwner(page, 'acme');
  await until(() => button.isEnabled());
  await dialog.getByLabel('Plan').selectOption('Enterprise (custom limits)');
  await expectNeed('Enter limits per minute and per day.');
  await dialog.getByText('Enterprise has no limits of its own: each key has the ones agreed with its owner.').waitFor();
  await dialog.getByLabel('Requests per minute').fill('5000');
  await dialog.getByLabel('Per day').fill('2000000');
  expect(await button.isEnabled()).toBe(true);
  await page.keyboard.press('Escape');
});

test('the plan of the owner’s account or else of the portal is proposed for a key, but none in shadow mode', async () => {
  const shadow = { name: 'Trial', limits: { minute: 1, day: 10 }, mode: 'shadow' };
  const other = await startConsole({ settings: { portal: { plan: 'pro' } } });
  const call = async (method: string, path: string, body: object) => {
    const response = await other.gateway.admin(path, { method, body: JSON.stringify(body) });
    return (await response.json()) as { id: string };
  };
  await call('PUT', '/v1/plans/trial', shadow);
  const { id } = await call('POST', '/v1/accounts', { owner: 'acme', name: 'Acme', email: null, plan: 'free' });
  const shown = await other.open({ at: '/keys?do=create' });
  const plan = shown.page.getByRole('dialog').getByLabel('Plan');
  const expectPlan = (expected: string) => until(async () => (await plan.inputValue()) === expected);
  await expectPlan('pro');
  await chooseOwner(shown.page, 'acme');
  await expectPlan('free');
  await chooseOwner(shown.page, 'globex');
  await expectPlan('pro');
  await call('PATCH', `/v1/accounts/${id}`, { plan: 'trial' });
  const later = await other.open({ at: '/keys?do=create' });
  await chooseOwner(later.page, 'acme');
  await until(async () => (await later.page.getByRole('dialog').getByLabel('Plan').inputValue()) === 'pro');
  await other.stop();
});

test('the command for a new key uses the API URL of the portal', async () => {
  const other = await startConsole({ settings: { portal: { apiUrl: 'https://api.example.com/' } } });
  const shown = await other.open({ at: '/keys?do=create' });
  await shown.page.getByLabel('Name', { exact: true }).fill('Checkout');
  await chooseOwner(shown.page, 'acme');
  await shown.page.getByRole('button', { name: 'Create the key' }).click();
  await shown.page.getByText(' https://api.example.com/_gateway/usage').waitFor();
  expect(await shown.page.getByText('This is where the gateway listens').count()).toBe(0);
  await other.stop();
});

test('rotating a leaked key names the key and says that the old secret stops working', async () => {
  await open.show(`/keys/${keyId}`);
  await page.getByRole('button', { name: 'Rotate…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate “Shop” of acme' });
  await dialog.getByText('The old secret works for a while').waitFor();
  await dialog.getByLabel('Old secret stays valid for').selectOption('not at all (it leaked)');
  await dialog.getByText('Calls with the old secret get 401 immediately').waitFor();
  expect(await dialog.getByText('works for a while').count()).toBe(0);
  await dialog.getByLabel('Reason').fill('leaked');
  await dialog.getByRole('button', { name: 'Rotate and reject the old secret' }).click();
  await page.getByRole('dialog', { name: 'New key “Shop” for acme' }).waitFor();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
});

test.each([
  ['enforce', 'The quota for this minute is used up: calls get 429.'],
  ['shadow', 'The quota for this minute is used up: the plan is in shadow mode, so calls are still served.'],
])('in mode %s, the page of a key with a used-up quota says what calls get', async (mode, sentence) => {
  const limits = { minute: 1, day: 10 };
  await post('/v1/plans', { id: `tiny-${mode}`, name: 'Tiny', limits, mode });
  const { id, key } = await post('/v1/keys', { name: 'Full', owner: 'acme', plan: `tiny-${mode}` });
  await console.gateway.call('/pets', { key });
  await open.show(`/keys/${id}`);
  await page.reload();
  await page.getByText(sentence).waitFor();
});

test('the dates of a deprecated operation are shown in full', async () => {
  await open.show('/operations/getPet');
  const text = await page.getByRole('list', { name: 'Lifecycle' }).innerText();
  expect(text).toMatch(/Sunset\n(?:in [\d,]+ days|31 Dec 2027)\n2027-12-31 \d\d:\d\d:\d\d UTC/);
});
