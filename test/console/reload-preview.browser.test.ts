/**
 * The screen System shows what a reload would do now, and which callers it would affect. Beside it, operators have a
 * button that reloads. Viewers have none.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { stringify } from 'yaml';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { findOverlaps, findVisualProblems } from '../support/browser/visual-checks.ts';
import { createDocument } from '../support/gateway/reloading-gateway.ts';
import { type HttpService, listening } from '../support/services/http-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { type ConsoleUnderTest, startConsole, VIEWER_TOKEN } from './support/console.ts';
import { stopAndExpectNoErrors } from './support/one-page.ts';

const dataDir = temporaryDirectory();
const write = (name: string, content: object) => writeFileSync(join(dataDir, name), stringify(content));
const plan = (id: string, minute: number | null) => ({
  id,
  name: id.toUpperCase(),
  ...(minute === null ? { custom: true } : { limits: { minute, day: 100_000 } }),
});
/** A word that is longer than a column. */
const LONG = 'aVeryLongNameOfAnOperationThatDoesNotFitOnOneLineOfATable';

let service: HttpService;
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;
let section: Locator;

const createSettings = (more: object = {}) => ({
  plans: 'plans.yaml',
  events: { allowPrivate: true },
  adminTokens: [{ name: 'onlooker', role: 'viewer', token: '${VIEWER_TOKEN}' }],
  upstreams: [{ name: 'shop', openapi: 'shop.yaml', targets: [service.url] }],
  ...more,
});
const configure = (more?: object) =>
  write('gateway.yaml', { demo: true, drain: { deadline: '50ms' }, ...createSettings(more) });

async function change(method: string, path: string, body: object): Promise<Record<string, string>> {
  const response = await console.gateway.admin(path, { method, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text) as Record<string, string>;
}

beforeAll(async () => {
  service = await listening(createServer((req, res) => req.resume().on('end', () => res.end('ok'))));
  mkdirSync(dataDir, { recursive: true });
  write('plans.yaml', { plans: [plan('free', 1000), plan('pro', 5000), plan('kept', 10)] });
  write('shop.yaml', createDocument({ pets: {}, [LONG]: {}, news: {} }));
  console = await startConsole({ dataDir, settings: createSettings() });
  open = await console.open({ at: '/system' });
  ({ page } = open);
  section = page.getByRole('region', { name: 'What a reload would do' });
  const { key = '', id = '' } = await change('POST', '/v1/keys', { owner: 'acme', name: 'Shop', plan: 'free' });
  for (const path of ['/pets', '/pets', `/${LONG}`]) await (await console.gateway.call(path, { key })).text();
  await change('PATCH', `/v1/keys/${id}`, { operations: ['pets', LONG, 'news'] });
  await change('POST', '/v1/keys', { owner: 'globex', name: 'Reports', plan: 'pro' });
  await change('PUT', '/v1/plans/kept', { name: 'KEPT', limits: { minute: 20, day: 100 } });
});
afterAll(async () => {
  await stopAndExpectNoErrors(console, open);
  await service.close();
});

/** Asserts that there are no visual problems in light and dark. */
async function expectReadable(name: string): Promise<void> {
  expect([name, await findVisualProblems(open)]).toEqual([name, []]);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const isTooWide = (await open.overflow()) > 0;
    expect([name, width, isTooWide, await findOverlaps(open)]).toEqual([name, width, false, []]);
  }
}

async function checkAgain(): Promise<void> {
  await section.getByRole('button', { name: 'Check again' }).click();
  await section.getByRole('button', { name: 'Check again' }).waitFor();
}

test('the system screen says that a reload would change nothing', async () => {
  await section.getByText('A reload would change nothing.').waitFor();
  expect(await section.getByRole('table').count()).toBe(0);
  await section.getByRole('button', { name: 'Reload…' }).waitFor();
  await expectReadable('nothing changes');
});

/** Changes everything that a report can contain, except what refuses the reload. */
function changeEverything(): void {
  write('shop.yaml', createDocument({ [`${LONG}s`]: {}, news: { security: [] }, toys: {} }));
  write('plans.yaml', { plans: [plan('free', 1), plan('pro', 5000), plan('kept', 30), plan('new', 1)] });
  configure({ afterSunset: 'gone', edge: { maxConnections: 7 } });
}

test('the system screen shows the effects of a reload, and the keys that they concern', async () => {
  changeEverything();
  await until(async () => {
    await checkAgain();
    return section.getByText('1 of 2 keys').last().isVisible();
  });
  const summary = section.getByRole('status');
  await summary.getByText('Breaking changes of 2 operations would affect 1 key of 1 owner').waitFor();
  const words = await summary.textContent();
  for (const part of [
    'would have refused calls of 1 key',
    '1 operation becomes public',
    '2 selectors would no longer match',
    '1 setting would change only with a restart',
  ])
    expect(words).toContain(part);
  const row = (table: string, text: string) =>
    section.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });
  const removed = row('Operations that change', '/pets');
  await removed.getByRole('link', { name: '1 key of 1 owner' }).waitFor();
  await removed.getByRole('link', { name: 'Shop' }).waitFor();
  await row('Operations that can then be called', '/news').waitFor();
  await row('Selectors of plans', `Shop (acme)${LONG}s`).waitFor();
  await row('Plans of the plans file', 'Not applied').waitFor();
  await row('Plans of the plans file', 'FREE').getByText('1 of 2 keys').last().waitFor();
  await row('Settings that change', 'edge.maxConnections').getByText('After a restart').last().waitFor();
  await row('Files that are read', 'shop.yaml').getByText('With a reload').last().waitFor();
  await expectReadable('full');
});

test('viewers see the effects of a reload, but no button to reload', async () => {
  const viewer = await console.open({ at: '/system?do=reload', token: VIEWER_TOKEN });
  try {
    const region = viewer.page.getByRole('region', { name: 'What a reload would do' });
    await region.getByText('would affect 1 key of 1 owner').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Reload…' }).count()).toBe(0);
    expect(await viewer.page.getByRole('dialog').count()).toBe(0);
  } finally {
    await viewer.close();
  }
});

test('the system screen says that a reload would be refused because of a plan that keys use', async () => {
  write('plans.yaml', { plans: [plan('free', 1), plan('pro', null), plan('kept', 30)] });
  await checkAgain();
  await section.getByText('A reload would be refused, because keys or accounts use pro').waitFor();
  await section.getByRole('row', { name: 'PRO' }).getByText('Refused').last().waitFor();
  await expectReadable('refused plan');
});

test('the line of an error in a file is shown, and a running preview of somebody else is reported differently', async () => {
  configure({ gaurd: {} });
  await checkAgain();
  await section.getByRole('heading', { name: 'A reload would be refused' }).waitFor();
  await section.getByText(/gateway\.yaml:\d+: gaurd is not a known setting/).waitFor();
  await expectReadable('invalid file');
  const json = { status: 503, code: 'overloaded', message: 'Another preview is running.' };
  await page.route('**/v1/config/preview', (route) => route.fulfill({ status: 503, json }));
  await section.getByRole('button', { name: 'Check again' }).click();
  await section.getByRole('heading', { name: 'Another preview is running' }).waitFor();
  await page.unroute('**/v1/config/preview');
});

test('after a reload, the screen says what it changed and what still needs a restart', async () => {
  changeEverything();
  await section.getByRole('button', { name: 'Try again' }).click();
  await section.getByText('would affect 1 key of 1 owner').waitFor();
  await section.getByRole('button', { name: 'Reload…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Reload the configuration' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await section.getByText(/^Reloaded\. Changed: .*afterSunset/).waitFor();
  await section.getByRole('table', { name: 'Operations that change' }).waitFor({ state: 'hidden' });
  await section.getByText('1 setting would change only with a restart.').waitFor();
  await expectReadable('reloaded');
});
