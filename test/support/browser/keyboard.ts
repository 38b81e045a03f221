import type { Locator, Page } from 'playwright-core';

/** More than any tested screen has. */
const MAX_STOPS = 60;

/** Presses Tab until `target` has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(target)}`);
}

/** Tabs to a button, or moves to an item of an open menu with the arrow keys, and presses Enter. */
export async function pressButton(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  const item = page.getByRole('menuitem', { name, exact: true });
  await button.or(item).first().waitFor();
  if (await item.isVisible()) await arrowTo(page, item);
  else await tabTo(page, button.first());
  await page.keyboard.press('Enter');
}

async function arrowTo(page: Page, item: Locator): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (await hasFocus(item)) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`the arrows do not lead to ${String(item)}`);
}

/** Opens a dialog by pressing one or more controls in order, such as a menu and its item. */
export async function openByKeys(page: Page, press: readonly string[]): Promise<void> {
  for (const name of press) await pressButton(page, name);
  await page.getByRole('dialog').waitFor();
}

export async function closeByKeys(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/**
 * Tabs to each field of the dialog, found by the start of its label, and types the text. Selects take the first letters
 * of an option.
 */
export async function fillByKeys(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    const field = page.getByRole('dialog').getByLabel(new RegExp(`^${label}`));
    await tabTo(page, field);
    const isChoice = (await field.and(page.locator('select')).count()) > 0;
    if (!isChoice) await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  }
}

async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.and(target.page().locator(':focus')).count()) > 0;
}

/** Label or text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    '(({ ariaLabel, textContent, tagName }) => ariaLabel ?? (tagName === "BODY" ? "nothing" : textContent))(document.activeElement)',
  );
}
