import type { Page } from 'playwright-core';

/** Types into the field of a dialog, and picks the first owner that is suggested: a new one if there is none like it. */
export async function chooseOwner(page: Page, text: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  // On a busy machine, the dialog may take its first focus late, which would close the list.
  await dialog.locator(':focus').waitFor();
  await dialog.getByLabel('Owner', { exact: true }).fill(text);
  // The list of the text before can still be fading out, so the option must match. It is clicked, because Enter submits
  // the form once the list is closed.
  await page.locator('[role="option"][data-highlighted]').filter({ hasText: text }).click();
}
