import type { Locator, Page } from 'playwright-core';
import { until } from '../until.ts';

/** The maximum number of elements that get the focus. No tested screen has more. */
const MAX_STOPS = 60;

/** Presses Tab until `target` has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  await pressUntilFocused(page, target, 'Tab');
}

async function pressUntilFocused(page: Page, target: Locator, key: string): Promise<void> {
  let elements = await target.elementHandles();
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    const state = await focusState(page, elements);
    if (state === 'focused') return;
    // Look the elements up only once they are gone, because finding them by role and name reads the whole page.
    if (state === 'gone') elements = await target.elementHandles();
    else await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${String(target)}`);
}

async function focusState(page: Page, elements: Awaited<ReturnType<Locator['elementHandles']>>) {
  return page.evaluate((all) => {
    if (all.some((element) => element === element.ownerDocument.activeElement)) return 'focused';
    return all.some(({ isConnected }) => isConnected) ? 'elsewhere' : 'gone';
  }, elements);
}

/** Tabs to a button, or moves to an item of an open menu with the arrow keys, and presses Enter. */
export async function pressButton(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  const item = page.getByRole('menuitem', { name, exact: true });
  await button.or(item).first().waitFor();
  if (await item.isVisible()) await pressUntilFocused(page, item, 'ArrowDown');
  else await tabTo(page, button.first());
  await page.keyboard.press('Enter');
}

/** Opens a dialog with the keyboard. The user presses one or more controls in order, such as a menu and its item. */
export async function openByKeys(page: Page, press: readonly string[]): Promise<void> {
  for (const name of press) await pressButton(page, name);
  await page.getByRole('dialog').waitFor();
}

/** Closes a dialog with Escape. If the dialog asks, confirms that the input is discarded. */
export async function closeByKeys(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  const dialog = page.getByRole('dialog');
  const question = page.getByRole('alertdialog');
  await until(async () => (await question.isVisible()) || !(await dialog.isVisible()));
  if (await question.isVisible()) await pressButton(page, 'Discard');
  await dialog.waitFor({ state: 'detached' });
}

/**
 * Moves to each field of the dialog, found by the start of its label, and types the text. A select takes the first
 * letters of an option.
 */
export async function fillByKeys(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    const field = page.getByRole('dialog').getByLabel(new RegExp(`^${label}`));
    await tabTo(page, field);
    const isChoice = (await field.and(page.locator('select')).count()) > 0;
    if (!isChoice) await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
    // The field suggests existing values, so select the first one.
    if ((await field.and(page.locator('input[role="combobox"]')).count()) > 0) {
      await page.locator('[role="listbox"] [role="option"]').first().waitFor();
      await page.keyboard.press('Enter');
    }
  }
}

/** Returns the label or the text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    '(({ ariaLabel, textContent, tagName }) => ariaLabel ?? (tagName === "BODY" ? "nothing" : textContent))(document.activeElement)',
  );
}
