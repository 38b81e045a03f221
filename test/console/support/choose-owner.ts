import type { Page } from 'playwright-core';

const TRIES = 5;
const TRY_MS = 5000;

/** Types into the field of a dialog, and picks the first owner that is suggested: a new one if there is none like it. */
export async function chooseOwner(page: Page, text: string): Promise<void> {
  const field = page.getByRole('dialog').getByLabel('Owner', { exact: true });
  // Enter picks what is highlighted. The list of the text before can still be fading out, so the option must match.
  const option = page.locator('[role="option"][data-highlighted]').filter({ hasText: text });
  for (let tries = 1; ; tries++) {
    await field.fill('');
    await field.fill(text);
    try {
      await option.waitFor({ timeout: TRY_MS });
      break;
    } catch (error) {
      // On a busy machine, the dialog may take its first focus only now, which closes the list.
      if (tries === TRIES) throw error;
    }
  }
  await field.press('Enter');
}
