import { Ban, CircleCheck, CircleOff, CircleSlash, Download, Layers, ShieldCheck, X } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { Button, IconButton } from '../../../shared/ui/controls/button.tsx';
import { type MenuItem, MoreMenu } from '../../../shared/ui/overlays/menu.tsx';
import { useShortcuts } from '../../../shared/behavior/shortcuts.ts';
import { saveFile } from '../../../shared/behavior/save-file.ts';
import { BulkDialog, MovePlanDialog } from '../../actions/lazy-dialogs.ts';
import type { BulkAction, BulkFilter } from '../../api/bulk-keys.ts';
import type { Key } from '../../api/keys.ts';
import styles from './bulk-bar.module.css';
import { formatKeysCsv } from './keys-csv.ts';

interface Props {
  readonly selected: readonly Key[];
  /** The filter of the list if all matching keys are selected, including those that are not loaded; otherwise null. */
  readonly matching: BulkFilter | null;
  /** Selects all matching keys. Undefined unless all loaded keys are selected and more of them match. */
  readonly onSelectMatching: (() => void) | undefined;
  readonly onClear: () => void;
}

const save = (keys: readonly Key[]) => saveFile('keys.csv', formatKeysCsv(keys), 'text/csv');

type Opened =
  { readonly what: BulkAction; readonly filter: BulkFilter } | { readonly what: 'move'; readonly keys: readonly Key[] };

/** A bar with actions on the selected keys, or on all keys that match the filter. */
export function BulkBar({ selected, matching, onSelectMatching, onClear }: Props) {
  // An open dialog keeps the selection with which it was opened, even if the list changes.
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const filter = matching ?? { ids: selected.map(({ id }) => id) };
  const open = (what: BulkAction) => setOpened({ what, filter });
  const more: MenuItem[] = [
    { label: 'Enable…', icon: CircleCheck, onSelect: () => open('enable') },
    { label: 'Lift the bans…', icon: ShieldCheck, onSelect: () => open('lift') },
    ...(matching === null ? [{ label: 'Export CSV', icon: Download, onSelect: () => save(selected) }] : []),
    { label: 'Revoke…', icon: CircleSlash, danger: true, onSelect: () => open('revoke') },
  ];
  return (
    <>
      {selected.length > 0 && (
        <Bar onClear={onClear}>
          <strong aria-live="polite">
            {matching === null ? pluralize(selected.length, 'key') : 'All that match'} selected
          </strong>
          {matching === null && onSelectMatching !== undefined && (
            <Button onClick={onSelectMatching}>Select all that match</Button>
          )}
          <Button icon={Ban} onClick={() => open('ban')}>
            Ban…
          </Button>
          <Button icon={CircleOff} onClick={() => open('disable')}>
            Disable…
          </Button>
          {matching === null && (
            <Button icon={Layers} onClick={() => setOpened({ what: 'move', keys: selected })}>
              Move to a plan…
            </Button>
          )}
          <MoreMenu label="More actions for the selected keys" items={more} />
        </Bar>
      )}
      {opened?.what === 'move' && <MovePlanDialog keys={opened.keys} onClose={close} />}
      {opened !== null && opened.what !== 'move' && (
        <BulkDialog action={opened.what} filter={opened.filter} onClose={close} />
      )}
    </>
  );
}

/** The bar below the rows. It stays in view while the page scrolls. */
function Bar({ onClear, children }: { readonly onClear: () => void; readonly children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  const row = useRef<Element>(null);
  useEffect(() => {
    const remember = () => {
      row.current = document.activeElement?.closest('main tr') ?? row.current;
    };
    remember();
    // The bar may have appeared on top of the focused row, so scroll the row into view. Newer browsers return a
    // promise, which must not become the cleanup function of the effect.
    row.current?.scrollIntoView({ block: 'nearest' });
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);
  const shortcuts = useMemo(() => {
    const clear = () => {
      const now = document.activeElement;
      // When the bar disappears, the focus inside it would be lost, so move the focus to the row.
      if (bar.current?.contains(now) === true || now?.matches('body, main') === true) focusRow(row.current);
      onClear();
    };
    return { b: () => bar.current?.querySelector('button')?.focus(), Escape: clear };
  }, [onClear]);
  useShortcuts(shortcuts);
  return (
    <div ref={bar} className={styles.bar} data-bar role="region" aria-label="Actions for the selected keys">
      {children}
      <IconButton icon={X} label="Clear selection" onClick={shortcuts.Escape} />
    </div>
  );
}

/**
 * Focuses the link of a row, or of the first selected row if the given one no longer exists.
 *
 * @param last the row that last had the focus
 */
function focusRow(last: Element | null): void {
  const link =
    last?.querySelector<HTMLElement>('[data-row-link]') ??
    document.querySelector<HTMLElement>('main tr[aria-selected="true"] [data-row-link]');
  link?.focus();
}
