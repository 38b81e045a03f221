import type { ReactNode } from 'react';
import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import { type Language, LANGUAGES } from '../samples/languages.ts';
import { KEY_VARIABLE, type SampledCall } from '../samples/sample.ts';
import styles from './samples.module.css';

const languages = Object.keys(LANGUAGES) as Language[];

interface Props {
  readonly call: SampledCall;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  /** Beside the button that copies it. */
  readonly link: ReactNode;
}

/** A call as code, in the language of the reader. */
export function Samples({ call, language, onLanguage, link }: Props) {
  const text = LANGUAGES[language].sample(call);
  return (
    <div className={styles.samples}>
      <div className={styles.head}>
        <div role="group" aria-label="Language of the sample" className={styles.languages}>
          {languages.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === language}
              className={styles.language}
              onClick={() => onLanguage(each)}
            >
              {LANGUAGES[each].label}
            </button>
          ))}
        </div>
        <span className={styles.tools}>
          {link}
          <CopyIcon text={text} label="Copy the sample" />
        </span>
      </div>
      <ScrollBox label={`${LANGUAGES[language].label} sample`} className={styles.code}>
        {text}
      </ScrollBox>
      {call.needsKey && (
        <p className={styles.note}>
          It reads your key from the environment: <code>export {KEY_VARIABLE}=…</code>
        </p>
      )}
    </div>
  );
}
