import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { findVisualProblems } from '../support/browser/visual-checks.ts';
import type { ConsoleUnderTest } from './support/console.ts';
import { startOnePage, stopAndExpectNoErrors } from './support/one-page.ts';

/** Tests of bulk changes of keys in the console. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  ({ console, open, page } = await startOnePage());
});

afterAll(() => stopAndExpectNoErrors(console, open));

async function createKeys(count: number, owner: string): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) => ({ name: `Till ${index}`, owner, plan: 'free' }));
  const response = await console.gateway.admin('/v1/keys/import', { method: 'POST', body: JSON.stringify({ keys }) });
  const { items } = (await response.json()) as { items: readonly { id: string }[] };
  return items.map(({ id }) => id);
}
async function readStatuses(owner: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of ['active', 'disabled', 'revoked']) {
    let cursor = '';
    do {
      const response = await console.gateway.admin(`/v1/keys?owner=${owner}&status=${status}&limit=100${cursor}`);
      const { items, nextCursor } = (await response.json()) as { items: unknown[]; nextCursor: string | null };
      if (items.length > 0) counts[status] = (counts[status] ?? 0) + items.length;
      cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
    } while (cursor !== '');
  }
  return counts;
}
const dialog = () => page.getByRole('dialog');
const bar = () => page.getByRole('region', { name: 'Actions for the selected keys' });

test('a bulk change disables all matching keys, loaded or not, and Undo enables them again', async () => {
  const [first] = await createKeys(250, 'many');
  await console.gateway.admin(`/v1/keys/${first}`, { method: 'PATCH', body: JSON.stringify({ status: 'disabled' }) });
  await open.show('/keys?owner=many');
  await page.getByRole('checkbox', { name: /Select all/ }).click();
  await bar()
    .getByText(/keys selected/)
    .waitFor();
  await bar().getByRole('button', { name: 'Select all that match' }).click();
  await bar().getByText('All that match selected').waitFor();
  await bar().getByRole('button', { name: 'Disable…' }).click();
  await dialog().getByText('249 keys, none of them used today (UTC). Some of them: ').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await dialog().getByLabel('Reason').fill('contract ended');
  await dialog().getByRole('button', { name: 'Disable 249 keys' }).click();
  await page.getByText('Disabled: 249 keys').waitFor();
  expect(await readStatuses('many')).toEqual({ disabled: 250 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Enabled again: 249 keys').waitFor();
  expect(await readStatuses('many')).toEqual({ active: 249, disabled: 1 });

  await open.show('/audit?action=bulk.start');
  await page.getByRole('cell', { name: 'undo: contract ended' }).waitFor();
  await page.getByRole('link', { name: /bulk_/ }).first().click();
  await page.getByRole('button', { name: /^Bulk change: bulk_/ }).waitFor();
  await page.getByText('status: disabled → active').first().waitFor();
});

test('a bulk change of keys that expire soon uses the filter of the list, and so does the shown command', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const keys = Array.from({ length: 120 }, (_, index) => ({
    name: `${index}`,
    owner: 'ends',
    plan: 'free',
    expiresAt,
  }));
  await console.gateway.admin('/v1/keys/import', { method: 'POST', body: JSON.stringify({ keys }) });
  await open.show('/keys?expiresWithin=14d&owner=ends');
  await page.getByRole('checkbox', { name: /Select all/ }).click();
  await bar().getByRole('button', { name: 'Select all that match' }).click();
  await bar().getByRole('button', { name: 'Disable…' }).click();
  await dialog().getByText('120 keys, none of them used today (UTC). Some of them: ').waitFor();
  await dialog().getByLabel('Reason').fill('moved');
  await dialog()
    .getByText(/tollgate keys disable --owner .?ends.? --expires-within .?14d/)
    .waitFor({ state: 'attached' });
  await dialog().getByRole('button', { name: 'Disable 120 keys' }).click();
  await page.getByText('Disabled: 120 keys').waitFor();
  expect(await readStatuses('ends')).toEqual({ disabled: 120 });
});

test('a bulk change counts the selected keys that it does not change, and leaves other keys as they are', async () => {
  const ids = await createKeys(4, 'few');
  await console.gateway.admin(`/v1/keys/${ids[0]}`, { method: 'PATCH', body: JSON.stringify({ status: 'disabled' }) });
  await open.show('/keys?owner=few');
  for (const name of ['Till 0', 'Till 1']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await bar().getByRole('button', { name: 'Disable…' }).click();
  await dialog().getByText('1 of 2 selected is not active').waitFor();
  await dialog().getByLabel('Reason').fill('a');
  await dialog().getByRole('button', { name: 'Disable 1 key' }).click();
  await page.getByText('Disabled: 1 key').waitFor();
  expect(await readStatuses('few')).toEqual({ active: 2, disabled: 2 });
  await bar().getByRole('button', { name: 'More actions for the selected keys' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await dialog().getByText('This cannot be undone').waitFor();
  expect(await findVisualProblems(open)).toEqual([]);
  await dialog().getByLabel('Reason').fill('leak');
  await dialog().getByRole('button', { name: 'Revoke 2 keys' }).click();
  await page.getByText('Revoked: 2 keys').waitFor();
  expect(await readStatuses('few')).toEqual({ active: 2, revoked: 2 });
});

test('a bulk change does nothing if the matching keys have changed since the preview, and shows their new number', async () => {
  await createKeys(101, 'growing');
  await open.show('/keys?owner=growing');
  await page.getByRole('checkbox', { name: /Select all/ }).click();
  await bar().getByRole('button', { name: 'Select all that match' }).click();
  await bar().getByRole('button', { name: 'Ban…' }).click();
  await dialog().getByText('101 keys with 101 quotas').waitFor();
  await createKeys(1, 'growing');
  await dialog().getByLabel('Reason').fill('attack');
  await dialog().getByRole('button', { name: 'Ban for 1 h' }).click();
  await dialog().getByText('The matching keys have changed since the preview. Nothing was changed.').waitFor();
  await dialog().getByText('102 keys with 102 quotas').waitFor();
  await dialog().getByRole('button', { name: 'Ban for 1 h' }).click();
  await page.getByText('Banned: 102 keys').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('Bans lifted').waitFor();
  const { items } = (await (await console.gateway.admin('/v1/bans?status=active')).json()) as { items: unknown[] };
  expect(items).toEqual([]);
});

test('an interrupted bulk change continues where it stopped', async () => {
  await createKeys(150, 'interrupted');
  await open.show('/keys?owner=interrupted');
  await page.getByRole('checkbox', { name: /Select all/ }).click();
  await bar().getByRole('button', { name: 'Select all that match' }).click();
  await bar().getByRole('button', { name: 'Disable…' }).click();
  await dialog().getByText('150 keys').first().waitFor();
  let calls = 0;
  await page.route('**/v1/keys/bulk', async (route) => {
    calls += 1;
    if (calls === 2) await route.abort();
    else await route.continue();
  });
  await dialog().getByLabel('Reason').fill('a');
  await dialog().getByRole('button', { name: 'Disable 150 keys' }).click();
  await dialog().getByText('The gateway did not respond. 100 of 150 are done.').waitFor();
  expect(await readStatuses('interrupted')).toEqual({ active: 50, disabled: 100 });
  await dialog().getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Disabled: 150 keys').waitFor();
  await page.unroute('**/v1/keys/bulk');
  expect(await readStatuses('interrupted')).toEqual({ disabled: 150 });
  const response = await console.gateway.admin('/v1/audit?action=bulk.start&limit=1');
  const { items } = (await response.json()) as { items: readonly { after: object }[] };
  expect(items[0]?.after).toMatchObject({ owner: 'interrupted', keys: 150 });
});
