import { useShortcuts } from './shortcuts.ts';

const shortcuts = { j: () => moveBy(1), k: () => moveBy(-1), x: selectRow };

/** Adds shortcuts for tables: `j` and `k` move through the rows, and `x` selects one. */
export function useRowShortcuts(): void {
  useShortcuts(shortcuts);
}

function moveBy(step: number): void {
  // A row may have a second link, which is shown in place of the first one on phones.
  const links = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')].filter((link) =>
    link.checkVisibility(),
  );
  const row = document.activeElement?.closest('tr');
  const at = links.findIndex((link) => row?.contains(link) === true);
  const next = links[at === -1 ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function selectRow(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
}
