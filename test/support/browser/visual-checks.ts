import type { BrowserPage } from './browser-page.ts';

/** Lists the findings of axe in light and dark, and the elements that overflow a 320 px viewport. One line each. */
export async function findVisualProblems(open: BrowserPage): Promise<readonly string[]> {
  const { page } = open;
  const size = page.viewportSize();
  const light = await open.findings();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await open.colorFindings();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 320, height: 640 });
  const wider = await page.evaluate<string[]>(OVERFLOWING_ELEMENTS);
  if (size !== null) await page.setViewportSize(size);
  return [...light.map((one) => `light: ${one}`), ...dark.map((one) => `dark: ${one}`), ...wider];
}

/**
 * A script that checks the page and anything over it, such as a dialog. It is a string, because the tests are not
 * compiled with the DOM types.
 */
const OVERFLOWING_ELEMENTS = `
  [document.documentElement, ...document.querySelectorAll('[role="dialog"], [role="menu"]')]
    .filter((element) => element.scrollWidth > element.clientWidth || element.getBoundingClientRect().right > innerWidth)
    .map(({ tagName, role, scrollWidth }) => (role ?? tagName) + ' is ' + scrollWidth + ' px wide')
`;

/** Lists the pairs of controls that overlap, by their names. */
export function findOverlaps({ page }: BrowserPage): Promise<readonly string[]> {
  return page.evaluate<string[]>(OVERLAPS);
}

const OVERLAPS = `(() => {
  const controls = [...document.querySelectorAll('main :is(a, button, input, select, textarea)')]
    .flatMap((element) => [...element.getClientRects()].map((rect) => ({ element, rect: seen(element, rect) })))
    .filter(({ element, rect }) => rect.width > 1 && rect.height > 1 && element.checkVisibility());
  const name = ({ element }) => element.ariaLabel ?? (element.innerText || element.tagName);
  return controls.flatMap((one, index) => controls.slice(index + 1)
    .filter((other) => !one.element.contains(other.element) && !other.element.contains(one.element) && isOver(one.rect, other.rect))
    .map((other) => name(one) + ' overlaps ' + name(other)));
  // Parts that a scroll container hides do not overlap anything.
  function seen(element, { left, right, top, bottom }) {
    for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === 'visible') continue;
      const edge = box.getBoundingClientRect();
      [left, right, top, bottom] = [Math.max(left, edge.left), Math.min(right, edge.right), Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, right, top, bottom, width: right - left, height: bottom - top };
  }
  function isOver(a, b) {
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  }
})()`;
