import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { parse, stringify } from 'yaml';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { petstore } from '../support/gateway/gateway.ts';
import { createDocument } from '../support/gateway/reloading-gateway.ts';
import { type ConsoleUnderTest, startConsole, VIEWER_TOKEN } from './support/console.ts';
import { stopAndExpectNoErrors } from './support/one-page.ts';
import { waitForCalls } from './support/test-data.ts';

/** A viewer selects the next document of a service, and sees which callers it would break. */
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;

beforeAll(async () => {
  console = await startConsole();
  await (await console.gateway.call('/pets')).text();
  // Together with the key that already called, these are 14 keys of 9 owners.
  for (let index = 0; index < 13; index++) {
    const body = JSON.stringify({ name: `Key ${index}`, owner: `owner-${index % 8}`, plan: 'free' });
    // oxlint-disable no-await-in-loop -- one call after the other, because the number of calls per address is limited
    const created = await console.gateway.admin('/v1/keys', { method: 'POST', body });
    const { key } = (await created.json()) as { key: string };
    await (await console.gateway.call('/pets', { key })).text();
    // oxlint-enable no-await-in-loop
  }
  await waitForCalls(console.gateway, 14);
  open = await console.open({ at: '/operations', token: VIEWER_TOKEN });
  ({ page } = open);
});
afterAll(() => stopAndExpectNoErrors(console, open));

const asFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** Returns the document in force without `GET /pets`, and with a new operation. */
function removePets(): string {
  const document = parse(readFileSync(petstore.openapi, 'utf8')) as { paths: Record<string, Record<string, unknown>> };
  delete document.paths['/pets']?.['get'];
  Object.assign(document.paths, (createDocument({ toys: {} }) as { paths: object }).paths);
  return stringify(document);
}

async function compare(document: string): Promise<void> {
  await page.locator('input[type="file"]').first().setInputFiles(asFile('next.yaml', document));
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
}

/**
 * Drops a file beside the form.
 *
 * @param content a JavaScript expression for the content of the file
 */
function drop(name: string, content: string): Promise<void> {
  return page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${content}], ${JSON.stringify(name)}));
    document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }`);
}

test('a comparison of documents shows how many keys call removed operations, and has an overlay to copy', async () => {
  await page.getByRole('link', { name: 'Compare a document…' }).click();
  await page.getByRole('heading', { level: 1, name: 'Compare a document' }).waitFor();
  expect(await open.findings()).toEqual([]);
  await compare(removePets());
  await page.getByText('1 breaking change would affect 14 keys of 9 owners').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'GET /pets was removed' });
  await row.getByText('Breaking', { exact: true }).first().waitFor();
  await page.getByRole('row').filter({ hasText: 'GET /toys is new' }).waitFor();
  expect(await open.findings()).toEqual([]);
  await page.getByRole('button', { name: 'Copy the overlay' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('x-sunset');
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await open.overflow()).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.getByRole('link', { name: '14 keys of 9 owners' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'GET /pets' }).waitFor();
});

test('a document can be dropped anywhere, and the line of an error in it is shown', async () => {
  await open.show('/documents?days=90');
  await drop('wrong.yaml', String.raw`'openapi: 3.1.0\npaths: [1]\n'`);
  await page.getByText('wrong.yaml').waitFor();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('alert').getByText('wrong.yaml:2: paths').waitFor();
  expect(await open.findings()).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await open.overflow()).toBeLessThanOrEqual(0);
});

test('a busy gateway, an unchanged document and a document that is too large are each explained', async () => {
  await open.show('/operations');
  await open.show('/documents');
  const body = { status: 503, code: 'overloaded', message: 'Another comparison is running.' };
  await page.route('**/v1/documents/diff', (route) => route.fulfill({ status: 503, json: body }), { times: 1 });
  await compare(readFileSync(petstore.openapi, 'utf8'));
  await page.getByText('Only one can run at a time').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No changes' }).waitFor();
  await drop('huge.json', 'new Uint8Array(25 * 1024 * 1024)');
  await page.getByText('The files are too large').waitFor();
  expect(await page.getByRole('button', { name: 'Compare', exact: true }).isDisabled()).toBe(true);
});
