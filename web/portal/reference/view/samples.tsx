import type { ReactNode } from 'react';
import { type Language, LANGUAGES } from '../samples/languages.ts';
import { KEY_VARIABLE, type SampledCall } from '../samples/sample.ts';
import { CodeTabs } from './code-tabs.tsx';

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
  return (
    <CodeTabs
      tabs={languages.map((each) => ({ id: each, label: LANGUAGES[each].label, text: LANGUAGES[each].sample(call) }))}
      chosen={language}
      onChoose={onLanguage}
      link={link}
      note={
        call.needsKey && (
          <>
            The code reads your key from the environment: <code>export {KEY_VARIABLE}=…</code>
          </>
        )
      }
    />
  );
}
