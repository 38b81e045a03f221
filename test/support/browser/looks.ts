import type { BrowserPage } from './browser-page.ts';

/** What axe finds of what is open, in light and dark, and what does not fit on the narrowest phone; in a line each. */
export async function blemishes(open: BrowserPage): Promise<readonly string[]> {
  const { page } = open;
  const size = page.viewportSize();
  const light = await open.findings();
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await open.colorFindings();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 320, height: 640 });
  const wider = await page.evaluate<string[]>(WIDER_THAN_THE_WINDOW);
  if (size !== null) await page.setViewportSize(size);
  return [...light.map((one) => `light: ${one}`), ...dark.map((one) => `dark: ${one}`), ...wider];
}

/** The page, or what lies over it, such as a dialog; text, because the tests are not compiled against a browser. */
const WIDER_THAN_THE_WINDOW = `
  [document.documentElement, ...document.querySelectorAll('[role="dialog"], [role="menu"]')]
    .filter((element) => element.scrollWidth > element.clientWidth || element.getBoundingClientRect().right > innerWidth)
    .map(({ tagName, role, scrollWidth }) => (role ?? tagName) + ' is ' + scrollWidth + ' px wide')
`;

/** Pairs of controls of the screen that lie over each other, by their names. */
export function overlaps({ page }: BrowserPage): Promise<readonly string[]> {
  return page.evaluate<string[]>(OVERLAPS);
}

const OVERLAPS = `(() => {
  const controls = [...document.querySelectorAll('main :is(a, button, input, select, textarea)')]
    .flatMap((element) => [...element.getClientRects()].map((rect) => ({ element, rect: seen(element, rect) })))
    .filter(({ element, rect }) => rect.width > 1 && rect.height > 1 && element.checkVisibility());
  const name = ({ element }) => element.ariaLabel ?? (element.innerText || element.tagName);
  return controls.flatMap((one, index) => controls.slice(index + 1)
    .filter((other) => !one.element.contains(other.element) && !other.element.contains(one.element) && isOver(one.rect, other.rect))
    .map((other) => name(one) + ' lies over ' + name(other)));
  // What a box that scrolls hides lies over nothing.
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
