import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { createDocument } from '../support/gateway/reloading-gateway.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';

let console: ConsoleUnderTest;
let open: BrowserPage;

beforeAll(async () => {
  const file = join(temporaryDirectory(), 'api.yaml');
  const operations = { status: { operationId: undefined, security: [] }, report: { 'x-tollgate-cost': 5 } };
  writeFileSync(file, stringify(createDocument(operations)));
  console = await startConsole({
    settings: { upstreams: [{ name: 'reports', openapi: file, targets: ['http://127.0.0.1:9'] }] },
  });
  open = await console.open({ at: '/operations' });
});
afterAll(() => console.stop());

test('public operations are marked, and the list can be filtered by them', async () => {
  const { page } = open;
  const rows = page.getByRole('row').filter({ has: page.locator('[data-row-link]') });
  await rows.filter({ hasText: '/status' }).getByText('Public', { exact: true }).waitFor();
  expect(await rows.filter({ hasText: '/report' }).getByText('Public', { exact: true }).count()).toBe(0);
  await page.getByLabel('Status').selectOption({ label: 'Status: Public' });
  await rows.filter({ hasText: '/report' }).waitFor({ state: 'detached' });
  expect(await rows.count()).toBe(1);
  expect(await open.findings()).toEqual([]);
});

test('the page of an operation without an id has its method and path only once, and says that it needs no key', async () => {
  const { page } = open;
  await open.show(`/operations/${encodeURIComponent('GET /status')}`);
  await page.getByText('An operation of the service reports. It needs no key; a call with one costs 1 unit.').waitFor();
  const head = page.locator('main header').filter({ has: page.getByRole('heading', { level: 1 }) });
  expect((await head.innerText()).split('/status')).toHaveLength(2);
  expect(await open.findings()).toEqual([]);
  await open.show('/operations/report');
  await page.getByText('report of the service reports. A call costs 5 units.').waitFor();
});
