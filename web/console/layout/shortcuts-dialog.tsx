import { useState } from 'react';
import { Dialog, DialogBody } from '../../shared/ui/overlays/dialog.tsx';
import { enableShortcuts, SEARCH_KEYS, areShortcutsEnabled } from '../../shared/behavior/shortcuts.ts';
import { PLACES } from './navigation.ts';
import styles from './shortcuts-dialog.module.css';

const EVERYWHERE = [
  [SEARCH_KEYS, 'Search, or run a command'],
  ['/', 'Search (outside text fields)'],
  ['?', 'Show these shortcuts'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['b', 'Go to the actions for the selected rows'],
  ['z', 'Undo the last change, while its message is shown'],
  ['n', 'Create (on screens with a list)'],
  ['Esc', 'Close, or clear the selection'],
] as const;

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [enabled, setEnabled] = useState(areShortcutsEnabled);
  const places = PLACES.flatMap(({ places }) => places).map(
    ({ key, label }) => [`g ${key}`, `Go to ${label}`] as const,
  );
  return (
    <Dialog title="Keyboard shortcuts" open onClose={onClose} wide>
      <DialogBody>
        {/* The focus goes here, because the switch is below the list that the user wanted to see. */}
        <div className={styles.columns} tabIndex={-1} data-first>
          {[EVERYWHERE, places].map((shortcuts) => (
            <dl key={shortcuts.length}>
              {shortcuts.map(([keys, does]) => (
                <div key={keys} className={styles.row}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          ))}
        </div>
        <label className={styles.switch}>
          <input
            type="checkbox"
            checked={enabled}
            onChange={(event) => {
              enableShortcuts(event.target.checked);
              setEnabled(event.target.checked);
            }}
          />
          Enable single-key shortcuts
        </label>
      </DialogBody>
    </Dialog>
  );
}
