/**
 * The attack: a page of the team contains markup, such as text from a third party. A script on the portal's origin
 * could act for every consumer who opens the page. So markup must be shown as text.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BrowserPage, waitUntilSettled } from '../support/browser/browser-page.ts';
import { temporaryFolder } from '../support/gateway/gateway.ts';
import { until } from '../support/until.ts';
import { type PortalUnderTest, startPortalPages } from './pages.ts';

const SCRIPT = `<script>document.title='pwned'</script><img src=x onerror="document.title='pwned'">`;
const HOSTILE = `# Hostile ${SCRIPT}

${SCRIPT}

[one](javascript:document.title='pwned') [two](JaVaScRiPt&colon;alert(1)) [three](data:text/html,x) [four][x]
[five](//elsewhere.example) [six](/\\elsewhere.example) [seven](vbscript:x)
![x](https://elsewhere.example/x.png) ![y](javascript:alert(1)) <https://elsewhere.example/auto>

[x]: javascript:document.title='pwned'

<iframe src="https://elsewhere.example"></iframe>

${Array.from({ length: 200 }, (_, level) => `${'  '.repeat(level)}- level ${level}`)
  .filter((_, level) => level < 30)
  .join('\n')}

| a |
| - |
| ${SCRIPT} |
`;

const FILLER = '\n\nMore.'.repeat(40);

let portal: PortalUnderTest;
let open: BrowserPage;
beforeAll(async () => {
  const pages = temporaryFolder();
  writeFileSync(
    join(pages, '10-quick-start.md'),
    `# Quick start\n\nSee [hostile](hostile.md).\n\n\`\`\`sh\ncurl x\n\`\`\`\n\n## Über uns\n\n[down](#last-words)\n${FILLER}\n\n## Last words\n${FILLER}\n`,
  );
  writeFileSync(join(pages, '20-hostile.md'), HOSTILE);
  // The page has as many brackets as allowed, because parsing them takes quadratic time.
  writeFileSync(join(pages, '30-brackets.md'), `# Brackets\n\n${`${`${'['.repeat(110)}\n`.repeat(4)}\n`.repeat(10)}`);
  writeFileSync(join(pages, '40-deep.md'), `# Deep\n\n${'*a _b '.repeat(350)}deepest${' b_ a*'.repeat(350)}\n`);
  writeFileSync(join(pages, '50-words.md'), '# Words we use\n\n## Order\n\nA sale.\n\n## Pets\n\nWhat is for sale.\n');
  portal = await startPortalPages({ settings: { portal: { public: true, pages } } });
  open = await portal.open('/pages/quick-start');
});
afterAll(() => portal.stop());

test('a custom page is in the navigation, links to other pages, and has a button to copy its code', async () => {
  const { page } = open;
  await page.getByRole('heading', { name: 'Quick start', level: 1 }).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the code' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('curl x');
  const labels = await page.getByRole('navigation').getByRole('link').allTextContents();
  expect(labels.slice(labels.indexOf('Plans') + 1)[0]).toBe('Quick start');
  await page.getByRole('main').getByRole('link', { name: 'hostile' }).click();
  await page.getByRole('heading', { name: /Hostile/, level: 1 }).waitFor();
});

test('markup in a custom page is shown as text, and unsafe links are removed', async () => {
  await open.show('/pages/hostile');
  const main = open.page.getByRole('main');
  await main.getByText(`<script>document.title='pwned'</script>`).first().waitFor();
  expect(await main.locator('script, img, iframe').count()).toBe(0);
  const targets = await main.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(targets).toEqual(['https://elsewhere.example/x.png', 'https://elsewhere.example/auto']);
  expect(await open.page.title()).not.toBe('pwned');
  expect(await open.pageErrors()).toEqual([]);
  expect(await open.findings()).toEqual([]);
  await open.page.setViewportSize({ width: 320, height: 640 });
  expect(await open.overflow()).toBeLessThanOrEqual(0);
  await open.page.setViewportSize({ width: 1280, height: 800 });
});

test('the search finds a custom page by its text', async () => {
  await open.show('/');
  await open.page.keyboard.press('/');
  await open.page.getByRole('combobox').fill('level 29');
  await open.page
    .getByRole('option', { name: /Hostile/ })
    .first()
    .click();
  await waitUntilSettled(open.page);
  expect(new URL(open.page.url()).pathname).toBe('/pages/hostile');
});

test('an exact match with a title or path is the first result of the search', async () => {
  await open.show('/');
  await open.page.keyboard.press('/');
  const first = open.page.getByRole('option').first();
  await open.page.getByRole('combobox').fill('GET /pets');
  await first.filter({ hasText: 'List pets' }).waitFor();
  await open.page.getByRole('combobox').fill('pets');
  await first.filter({ hasText: 'Words we use' }).waitFor();
  expect(await open.findings()).toEqual([]);
  await open.page.keyboard.press('Enter');
  await open.page.waitForURL('**/pages/words#pets');
});

const BAR_PX = 48;

/** Waits until the heading is at the top of the viewport, below the bar. */
async function expectShown({ page }: BrowserPage, name: string): Promise<void> {
  const heading = page.getByRole('heading', { name, exact: true });
  await until(async () => {
    const y = (await heading.boundingBox())?.y ?? -1;
    return y >= BAR_PX && y < 2 * BAR_PX;
  });
}

test('every section has a URL, to which the link beside its heading and the search lead', async () => {
  const direct = await portal.open('/docs/limits#bans');
  const { page } = direct;
  await expectShown(direct, 'Bans');
  await page.getByRole('heading', { name: 'Retries', exact: true }).hover();
  await page.getByRole('link', { name: 'Link to Retries', exact: true }).click();
  await page.waitForURL('**/docs/limits#retries');
  await expectShown(direct, 'Retries');
  await page.evaluate('scrollTo(0, 0)');
  await page.getByRole('link', { name: 'Link to Retries', exact: true }).click();
  await expectShown(direct, 'Retries');
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('history');
  await page.getByRole('option', { name: /Usage API/ }).click();
  await page.waitForURL('**/docs/standing#history');
  await expectShown(direct, 'History');
  await page.goto(`${portal.gateway.portalUrl}/pages/quick-start#%C3%BCber-uns`);
  await expectShown(direct, 'Über uns');
  await page.getByRole('link', { name: 'down', exact: true }).click();
  await expectShown(direct, 'Last words');
  expect(await direct.pageErrors()).toEqual([]);
  await page.context().close();
});

test('nested emphasis is rendered up to the maximum depth', async () => {
  await open.show('/pages/deep');
  await open.page.locator('main em').nth(699).filter({ hasText: 'deepest' }).waitFor();
});

test('a custom page full of brackets is shown, and an unknown page is reported', async () => {
  await open.show('/pages/brackets');
  await open.page.getByRole('heading', { name: 'Brackets' }).waitFor();
  await open.show('/pages/nothing');
  await open.page.getByText('This page does not exist').waitFor();
});

test('the language selected in a guide applies to other guides and the reference', async () => {
  const isSelected = (name: string) => open.page.getByRole('button', { name, exact: true, pressed: true }).waitFor();
  await open.show('/docs/limits');
  await open.page.getByRole('button', { name: 'Ruby', exact: true }).click();
  await open.page.getByText('ENV.fetch("API_KEY")').waitFor();
  for (const address of ['/docs/webhooks', '/docs/getting-started', '/reference/listPets']) {
    await open.show(address);
    await isSelected('Ruby');
  }
  await open.page.getByRole('button', { name: 'curl', exact: true }).click();
  // The guide has no code for curl, so another language is selected.
  await open.show('/docs/webhooks');
  await isSelected('JavaScript');
  expect(await open.pageErrors()).toEqual([]);
});
