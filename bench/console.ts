import type { BrowserContextOptions } from 'playwright-core';
import { type ConsoleUnderTest, startConsole } from '../test/console/support/console.ts';
import { createTestData } from '../test/console/support/test-data.ts';
import { median } from './measure.ts';
import { parseOptions } from './options.ts';
import { formatTable } from './table.ts';

const values = parseOptions(
  { rounds: { type: 'string', default: '5' } },
  `npm run console -- [options]

What a browser loads to show a screen of the console for the first time, and how long that takes.

  --rounds N       how often each screen is opened, with an empty cache (5)`,
);

/** The screens to measure. A screen counts as usable when the selector `shown` matches its main content. */
const SCREENS = [
  { name: 'sign in', at: '/overview', signedIn: false, shown: 'form input' },
  { name: 'overview', at: '/overview?period=1h', signedIn: true, shown: 'main figure canvas' },
  { name: 'keys', at: '/keys', signedIn: true, shown: 'main [data-row-link]' },
] as const;
type Screen = (typeof SCREENS)[number];

/** Maximum compressed size of all JavaScript that a screen loads, and maximum time to the first paint. */
const BUDGET = { scriptKb: 150, firstPaintMs: 1000 };

interface Load {
  readonly scriptKb: number;
  readonly styleKb: number;
  readonly fontKb: number;
  readonly requests: number;
  readonly firstPaintMs: number;
  readonly usableMs: number;
}

/** The code to run in the page. It is text because this file is not compiled against a browser. */
const MEASURE = `(() => {
  const entries = performance.getEntriesByType('resource');
  const kb = (suffix) =>
    entries.filter(({ name }) => name.endsWith(suffix)).reduce((sum, entry) => sum + entry.encodedBodySize, 0) / 1000;
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return {
    scriptKb: kb('.js'),
    styleKb: kb('.css'),
    fontKb: kb('.woff2'),
    requests: entries.length + 1,
    firstPaintMs: paint?.startTime ?? NaN,
    usableMs: performance.now(),
  };
})()`;

const consoleUnderTest = await startConsole();
try {
  await createTestData(consoleUnderTest.gateway);
  const session = await (await consoleUnderTest.open()).context.storageState();
  const rows: string[][] = [];
  for (const screen of SCREENS) {
    const loads: Load[] = [];
    for (let round = 0; round < Number(values.rounds); round++)
      loads.push(await measureLoad(consoleUnderTest, screen, session));
    rows.push(toRow(screen.name, loads));
  }
  const head = ['screen', 'JavaScript, kB', 'CSS, kB', 'fonts, kB', 'requests', 'first paint, ms', 'usable, ms', ''];
  process.stdout.write(`\n${formatTable(head, rows)}\n\n`);
  process.stdout.write(
    `Budget: ${BUDGET.scriptKb} kB of JavaScript as it is transferred, ${BUDGET.firstPaintMs} ms.\n`,
  );
} finally {
  await consoleUnderTest.stop();
}

async function measureLoad(
  { browser, gateway }: ConsoleUnderTest,
  { at, signedIn, shown }: Screen,
  session: NonNullable<BrowserContextOptions['storageState']>,
): Promise<Load> {
  const context = await browser.newContext(signedIn ? { storageState: session } : {});
  try {
    const page = await context.newPage();
    await page.goto(`${gateway.adminUrl}/console/#${at}`);
    await page.locator(shown).first().waitFor();
    return await page.evaluate<Load>(MEASURE);
  } finally {
    await context.close();
  }
}

function toRow(name: string, loads: readonly Load[]): string[] {
  const computeMedian = (field: keyof Load) => median(loads.map((one) => one[field]));
  const [scriptKb, firstPaintMs] = [computeMedian('scriptKb'), computeMedian('firstPaintMs')];
  const isWithinBudget = scriptKb <= BUDGET.scriptKb && firstPaintMs <= BUDGET.firstPaintMs;
  return [
    name,
    scriptKb.toFixed(1),
    computeMedian('styleKb').toFixed(1),
    computeMedian('fontKb').toFixed(0),
    computeMedian('requests').toFixed(0),
    firstPaintMs.toFixed(0),
    computeMedian('usableMs').toFixed(0),
    isWithinBudget ? 'within the budget' : '**above the budget**',
  ];
}
