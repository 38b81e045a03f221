import type { Page } from 'playwright-core';

/** Types into the field of a dialog, and picks the first owner that is suggested: a new one if there is none like it. */
export async function chooseOwner(page: Page, text: string): Promise<void> {
  const field = page.getByRole('dialog').getByLabel('Owner', { exact: true });
  await field.fill(text);
  await page.locator('[role="listbox"] [role="option"]').first().waitFor();
  await field.press('Enter');
}
