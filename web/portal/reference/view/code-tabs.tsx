import { type ReactNode, useState } from 'react';
import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import styles from './samples.module.css';

interface Tab {
  readonly id: string;
  readonly label: string;
  readonly text: string;
}

/** The same in several languages, one of which is shown. */
export function CodeTabs({ tabs, note }: { readonly tabs: readonly Tab[]; readonly note?: ReactNode }) {
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const shown = tabs.find(({ id }) => id === chosen);
  if (shown === undefined) return null;
  return (
    <div className={styles.samples}>
      <div className={styles.head}>
        <div role="group" aria-label="Language of the sample" className={styles.languages}>
          {tabs.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === chosen}
              className={styles.language}
              onClick={() => setChosen(id)}
            >
              {label}
            </button>
          ))}
        </div>
        <CopyIcon text={shown.text} label="Copy the sample" />
      </div>
      <ScrollBox label={`${shown.label} sample`} className={styles.code}>
        {shown.text}
      </ScrollBox>
      {note !== undefined && note !== false && <p className={styles.note}>{note}</p>}
    </div>
  );
}
