import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { until } from '../support/until.ts';
import type { ConsoleUnderTest } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

/** An operator rotates a key whose old secret stays valid as long as it is used. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  ({ console, open, page } = await startOnePage({
    lastUsesFlushMs: 100,
    settings: { trustedProxies: ['127.0.0.1'] },
  }));
});

afterAll(() => stopAndExpectNoErrors(console, open));

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
async function admin(method: string, path: string, body?: object): Promise<any> {
  const response = await console.gateway.admin(path, { method, ...(body && { body: JSON.stringify(body) }) });
  return response.json();
}

test('after a rotation, the pages of the old and the new key show who still uses the old secret', async () => {
  const old = await admin('POST', '/v1/keys', { name: 'Shop', owner: 'acme', plan: 'free' });
  await open.show(`/keys/${old.id}`);
  await page.getByRole('button', { name: 'Rotate…' }).click();
  await page.getByLabel('Old secret stays valid for').selectOption('as long as it is used');
  await page.getByText('It expires once the new secret is in use').waitFor();
  await page.locator('summary').click();
  await page.getByText(`tollgate keys rotate ${old.id} --grace-until quiet`).waitFor();
  expect(await open.findings()).toEqual([]);
  await page.getByLabel('Reason').fill('yearly');
  await page.getByRole('button', { name: 'Rotate, old secret valid while used' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await page.getByRole('button', { name: 'Done' }).click();
  const read = async () => admin('GET', `/v1/keys/${old.id}`);

  await console.gateway.call('/pets', { key: old.key, headers: { 'X-Forwarded-For': '2001:db8:1::7' } });
  await until(async () => (await read()).grace.callsLastDay === 1 && (await read()).grace.lastUsedFrom !== null);
  const { rotatedTo } = await read();
  const use =
    /Last used: .* from 2001:db8:1::\/48, 1 call in the last 24 hours\. It expires once it is no longer used, in \d+ days at the latest/;
  await open.show(`/keys/${rotatedTo}`);
  await page.reload();
  await page.getByText(use).waitFor();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await open.findings()).toEqual([]);
    expect(await open.overflow()).toBeLessThanOrEqual(0);
  }
  await page
    .getByRole('link', { name: `…${old.lastFour}` })
    .first()
    .click();
  await page.getByText('It expires once it is no longer used.').waitFor();
  await page.getByText(/expires in (29|30) days or earlier/).waitFor();
  await page.getByText(/^once it is no longer used, in (29|30) days at the latest$/).waitFor();
  expect(await open.overflow()).toBeLessThanOrEqual(0);
});
