import type { Locator, Page } from 'playwright-core';

/** More stops than any screen of the tests has. */
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

/** Goes to a button and presses it, or down an open menu to an item. */
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

/** Opens a dialog: a button, or one after the other what leads there, such as a menu and its item. */
export async function openByKeys(page: Page, press: readonly string[]): Promise<void> {
  for (const name of press) await pressButton(page, name);
  await page.getByRole('dialog').waitFor();
}

export async function closeByKeys(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Goes to each field of the dialog by what its label begins with, and types; in a choice, the first letters of an option. */
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

/** What has the focus, by what it says. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    '(({ ariaLabel, textContent, tagName }) => ariaLabel ?? (tagName === "BODY" ? "nothing" : textContent))(document.activeElement)',
  );
}
