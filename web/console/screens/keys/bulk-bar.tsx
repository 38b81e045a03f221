import { Ban, CircleOff, Download, Layers, X } from 'lucide-react';
import { useState } from 'react';
import { plural } from '../../../shared/format/number.ts';
import { Button, IconButton } from '../../../shared/ui/controls/button.tsx';
import { saveFile } from '../../../shared/behavior/save-file.ts';
import { BanDialog, DisableDialog, MovePlanDialog } from '../../actions/lazy-dialogs.ts';
import type { Key } from '../../api/keys.ts';
import styles from './bulk-bar.module.css';
import { keysCsv } from './keys-csv.ts';

const DIALOGS = { ban: BanDialog, disable: DisableDialog, move: MovePlanDialog };

/** What can be done with all keys that are selected. */
export function BulkBar({ selected, onClear }: { readonly selected: readonly Key[]; readonly onClear: () => void }) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null);
  // The selection of an open dialog does not change, even if the list does.
  const [subjects, setSubjects] = useState<readonly Key[]>([]);
  const open = (what: keyof typeof DIALOGS) => {
    setSubjects(selected);
    setOpened(what);
  };
  const Opened = opened === null ? null : DIALOGS[opened];
  return (
    <>
      {selected.length > 0 && (
        <div className={styles.bar} role="region" aria-label="Actions for the selected keys">
          <strong aria-live="polite">{plural(selected.length, 'key')} selected</strong>
          <Button icon={Ban} onClick={() => open('ban')}>
            Ban…
          </Button>
          <Button icon={CircleOff} onClick={() => open('disable')}>
            Disable…
          </Button>
          <Button icon={Layers} onClick={() => open('move')}>
            Move to a plan…
          </Button>
          <Button icon={Download} onClick={() => saveFile('keys.csv', keysCsv(selected), 'text/csv')}>
            Export CSV
          </Button>
          <IconButton icon={X} label="Clear selection" onClick={onClear} />
        </div>
      )}
      {Opened !== null && <Opened keys={subjects} onClose={() => setOpened(null)} />}
    </>
  );
}
