import type { Page } from 'playwright-core';

/** Types into the field of a dialog, and picks the first owner that is suggested: a new one if there is none like it. */
export async function chooseOwner(page: Page, text: string): Promise<void> {
  const field = page.getByRole('dialog').getByLabel('Owner', { exact: true });
  await field.fill(text);
  // Enter picks what is highlighted. The list of the text before can still be fading out, so the option must match.
  await page.locator('[role="option"][data-highlighted]').filter({ hasText: text }).waitFor();
  await field.press('Enter');
}
