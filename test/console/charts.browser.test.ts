import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { fillTwoWeeks } from '../support/history/two-weeks.ts';
import { startTestGateway, temporaryFolder } from '../support/gateway/gateway.ts';
import { until } from '../support/until.ts';
import { type BrowserPage, waitUntilSettled } from '../support/browser/browser-page.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';

/** Charts cover two weeks of counts. The user reads values, selects and compares periods, and shares links. */
const NOW = Date.parse('2026-11-20T14:30:40Z');

let dataDir: string;
let console: ConsoleUnderTest;
let open: BrowserPage;
let page: Page;
let requests: Locator;
let durations: Locator;

beforeAll(async () => {
  dataDir = temporaryFolder();
  // Stop this gateway before starting the console's, because two gateways cannot use the same data directory at once.
  const before = await startTestGateway({ dataDir, clock: () => NOW });
  const { items } = (await (await before.admin('/v1/keys')).json()) as { items: { id: string }[] };
  await before.stop();
  const ids = items.map(({ id }) => id);
  await fillTwoWeeks(dataDir, ids, NOW);
  console = await startConsole({ dataDir, clock: () => NOW });
  open = await console.open({ at: '/audit', nowMs: NOW });
  ({ page } = open);
  requests = page.getByRole('slider', { name: /^Requests per/ });
  durations = page.getByRole('slider', { name: /^Durations per/ });
});

afterAll(async () => {
  const faults = await open.pageErrors();
  await console.stop();
  rmSync(dataDir, { recursive: true });
  expect(faults).toEqual([]);
});

/** The texts of the tooltips. */
const tooltips = () => page.locator('figure dl').allInnerTexts();

async function readBox(chart: Locator) {
  const box = await chart.boundingBox();
  if (box === null) throw new Error('the chart is not shown');
  return box;
}

test('hovering over a chart shows the time and the values in all charts of the screen', async () => {
  await open.show('/overview?period=24h');
  const box = await readBox(requests);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const hour = /20 Nov 0[123]:00–0[234]:00/;
  expect(await page.locator('figure').getByText(hour).count()).toBe(2);
  const [counts, times] = await tooltips();
  expect(counts).toMatch(/Total\s*\d+\s*Served\s*\d+\s*4xx from services\s*0\s*Refused\s*\d+\s*Errors\s*\d+/);
  expect(times).toMatch(/p95\s*\d+ ms\s*p50\s*\d+ ms/);
  expect(await open.findings()).toEqual([]);
  await page.mouse.move(0, 0);
  expect(await tooltips()).toEqual([]);
});

test('all charts of a screen have the same ticks', async () => {
  for (const period of ['1h', '24h', '7d', '14d', '30d', '90d']) {
    await open.show(`/overview?period=${period}`);
    const ticks = (chart: Locator) =>
      chart.locator('g[data-tick]').evaluateAll((all) => all.map((one) => one.getAttribute('data-tick')));
    await requests.waitFor();
    const [first, second] = [await ticks(requests), await ticks(durations)];
    expect(first.length).toBeGreaterThan(2);
    expect(second).toEqual(first);
  }
});

test('the arrow keys move through the values of a chart, which are shown and announced', async () => {
  await open.show('/overview?period=14d');
  await requests.focus();
  await page.keyboard.press('End');
  expect(await requests.getAttribute('aria-valuetext')).toMatch(/^20 Nov 2026 \(UTC\): Total [\d,]+, Served/);
  await page.keyboard.press('ArrowLeft');
  expect(await requests.getAttribute('aria-valuetext')).toMatch(/^19 Nov 2026 \(UTC\)/);
  expect(await durations.getAttribute('aria-valuetext')).toMatch(/^19 Nov 2026 \(UTC\): p95 \d+ ms, p50 \d+ ms$/);
  await page.keyboard.press('Home');
  expect(await requests.getAttribute('aria-valuetext')).toMatch(/^6 Nov 2026/);
  await page.keyboard.press('Escape');
  expect(await tooltips()).toEqual([]);
});

test('dragging over a chart selects a period, which is in the URL, and going back restores the previous period', async () => {
  await open.show('/overview?period=24h');
  const box = await readBox(requests);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=2026-11-(19|20)T\d\d%3A00%3A00.000Z&to=2026-11-20T\d\d%3A00%3A00.000Z/);
  expect(page.url()).not.toContain('period=');
  await waitUntilSettled(page);
  await page.getByText(/requests? from (19|20) Nov \d\d:00 to 20 Nov \d\d:00/).waitFor();
  // If another page opens the URL, it shows the same period.
  const heading = await page
    .locator('main')
    .getByText(/ requests? from (19|20) Nov/)
    .innerText();
  await page.reload();
  await waitUntilSettled(page);
  expect(
    await page
      .locator('main')
      .getByText(/ requests? from (19|20) Nov/)
      .innerText(),
  ).toBe(heading);
  await page.goBack();
  await page.waitForURL(/period=24h/);
});

test('a custom period can be entered, and an end before the start is reported', async () => {
  await open.show('/overview?period=7d');
  await page.getByRole('link', { name: 'Custom' }).click();
  await page.waitForURL(/from=2026-11-13T14%3A30%3A00Z&to=2026-11-20T14%3A30%3A00Z/);
  await page.getByLabel('From', { exact: true }).fill('2026-11-10T00:00');
  await page.getByLabel('To', { exact: true }).fill('2026-11-12T00:00');
  await page.clock.runFor(2000);
  await page
    .getByText(/from 10 Nov 00:00 to 12 Nov 00:00/)
    .first()
    .waitFor();
  await waitUntilSettled(page);
  expect(await open.findings()).toEqual([]);
  await open.show('/overview?from=2026-11-12T00:00:00Z&to=2026-11-10T00:00:00Z');
  await page.getByText('“From” must be before “To”').waitFor();
  await page.getByRole('link', { name: '14 d' }).click();
  await page.waitForURL(/overview\?period=14d$/);
});

test('a comparison with the previous period shows the changes of the figures and a dashed line', async () => {
  await open.show('/overview?period=7d');
  await page.getByLabel('Compare with the previous period').check();
  await page.waitForURL(/compare=previous/);
  await page.getByText('Compared with 6 Nov 12:00 to 13 Nov 12:00 (dashed).').waitFor();
  const figures = await page.locator('main dl').first().innerText();
  expect(figures).toMatch(/\+1\d(\.\d)?%, from \d[\d,.]+K?/);
  expect(figures).toMatch(/[+-]?\d(\.\d)? points, from 1\d\.\d%/);
  expect(await requests.locator('path[stroke-dasharray], path[class*="dashed"]').count()).toBe(1);
  // The API returns the same figures.
  const total = async (from: string, to: string) => {
    const response = await console.gateway.admin(`/v1/usage?every=hour&points=false&from=${from}&to=${to}`);
    return ((await response.json()) as { series: [{ totals: { requests: number } }] }).series[0].totals.requests;
  };
  const before = await total('2026-11-06T12:00:00Z', '2026-11-13T12:00:00Z');
  const now = await total('2026-11-13T12:00:00Z', '2026-11-20T12:00:00Z');
  const change = Math.round((now / before - 1) * 1000) / 10;
  expect(figures).toContain(`+${change}%, from`);
  expect(await open.findings()).toEqual([]);
});

test('today is compared with the same hours of yesterday, and seven days have intervals of six hours', async () => {
  await open.show('/overview?period=today&compare=previous');
  await page.getByText('Compared with 19 Nov 00:00 to 19 Nov 14:00 (dashed).').waitFor();
  await open.show('/overview?period=7d');
  await page.getByText('Requests per 6 hours').waitFor();
  await page.getByText('Figures per 6 hours').click();
  const table = page.getByRole('table', { name: 'Traffic per 6 hours, newest first' });
  await table.getByRole('row', { name: /^20 Nov 12:00/ }).waitFor();
  expect(await table.getAttribute('aria-rowcount')).toBe('30');
});

test('the figures are not compared with a period before the oldest data, and the reason is shown', async () => {
  const figures = page.locator('main dl').first();
  await open.show('/overview?from=2026-11-10T00:00:00Z&to=2026-11-18T00:00:00Z&compare=previous');
  await page
    .getByText(/^Not compared: the previous period was .* but the stored counts start from 6 Nov 2026/)
    .waitFor();
  expect(await figures.innerText()).not.toMatch(/, from|no change/);
  await open.show('/overview?period=14d&compare=previous');
  await page.getByText(/^Not compared: the stored counts start from 6 Nov 2026, and the previous period was/).waitFor();
  expect(await figures.innerText()).not.toMatch(/, from|no change/);
});

test('the tables below charts have exact times and percentiles, and start with the first count', async () => {
  await open.show('/overview?period=24h');
  const table = page.getByRole('table', { name: 'Traffic per hour, newest first' });
  // The table stays open when the period changes, so open it only if it is closed.
  if (!(await table.isVisible())) await page.getByText('Figures per hour').click();
  await table.getByRole('row', { name: /^20 Nov 14:00/ }).waitFor();
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(
    expect.arrayContaining(['From', 'Served', 'p50', 'p95']),
  );
  await open.show('/overview?period=30d');
  const days = page.getByRole('table', { name: 'Traffic per day, newest first' });
  if (!(await days.isVisible())) await page.getByText('Figures per day').click();
  expect(await days.getByRole('row').last().innerText()).toMatch(/^6 Nov 2026/);
});

/** Scripts that are loaded in the background do not count, because the clock is stopped before. */
test('the overview needs at most 150 kB of JavaScript, including its charts', async () => {
  const fresh = await open.context.newPage();
  let bytes = 0;
  fresh.on('response', (response) => {
    if (response.url().endsWith('.js')) bytes += Number(response.headers()['content-length']);
  });
  await fresh.clock.install({ time: NOW });
  await fresh.clock.pauseAt(NOW + 1000);
  await fresh.goto(`${console.gateway.adminUrl}/console/#/overview`);
  const charts = fresh.getByRole('slider');
  await until(async () => {
    await fresh.clock.runFor(1);
    return (await charts.count()) === 2;
  });
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(150_000);
  await fresh.close();
});
