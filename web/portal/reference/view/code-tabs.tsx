import { type ReactNode, useEffect, useRef } from 'react';
import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import code from '../../code/code.module.css';
import { Code, type Placeholders } from '../../code/code.tsx';
import styles from './samples.module.css';

interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly text: string;
}

interface Props<Id extends string> {
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  readonly note?: ReactNode;
  readonly language?: 'json' | 'code';
  /** A link beside the copy button. */
  readonly link?: ReactNode;
  readonly above?: ReactNode;
  readonly placeholders?: Placeholders | undefined;
}

/** Shows the same code in several languages, with a tab for each. */
export function CodeTabs<Id extends string>({
  tabs,
  chosen,
  onChoose,
  note,
  link,
  above,
  placeholders,
  language = 'code',
}: Props<Id>) {
  const shown = tabs.find(({ id }) => id === chosen);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone, the tabs are a scrolling row, so scroll the selected one into view.
    const button = list.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (list.current !== null) list.current.scrollLeft = (button?.offsetLeft ?? 0) - list.current.offsetLeft - 40;
  }, [chosen]);
  if (shown === undefined) return null;
  return (
    <div className={styles.samples}>
      <div className={styles.head}>
        <div ref={list} role="group" aria-label="Language of the sample" className={styles.languages}>
          {tabs.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === chosen}
              className={styles.language}
              onClick={() => onChoose(id)}
            >
              {label}
            </button>
          ))}
        </div>
        <span className={styles.tools}>
          {link}
          <CopyIcon text={shown.text} label="Copy the sample" />
        </span>
      </div>
      {above}
      <ScrollBox label={`${shown.label} sample`} className={`${code.scrolls} ${styles.code}`}>
        <Code text={shown.text} language={language} placeholders={placeholders} />
      </ScrollBox>
      {note !== undefined && note !== false && <p className={styles.note}>{note}</p>}
    </div>
  );
}
