import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';

/** The time limit for a click. The list opens and stops moving within this time. */
const CLICK_LIMIT_MS = 5000;

/**
 * Types into the owner field of a dialog, and selects the first suggestion. If no owner matches, that is to create a
 * new one.
 */
export async function chooseOwner(page: Page, text: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Owner', { exact: true });
  // The list for the previous text can still be fading out, so the option must match.
  const option = page.locator('[role="option"][data-highlighted]').filter({ hasText: text });
  // Wait for the first focus of the dialog. On a busy machine, it may come late, and would then close the list.
  await dialog.locator(':focus').waitFor();
  // The option is clicked, because Enter would submit the form if the list has closed. Typing again reopens the list.
  await until(async () => {
    await field.fill('');
    await field.fill(text);
    return option.click({ timeout: CLICK_LIMIT_MS }).then(
      () => true,
      () => false,
    );
  });
}
