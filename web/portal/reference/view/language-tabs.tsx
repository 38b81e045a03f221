import { useChosenLanguage } from '../samples/chosen-language.ts';
import { findLanguage, LANGUAGES } from '../samples/languages.ts';
import { CodeTabs } from './code-tabs.tsx';

interface TitledCode {
  /** The name of a language. A note may follow it, as in "JavaScript (Node)". */
  readonly title: string;
  readonly text: string;
}

/** Shows the same code in several languages. The user's language is selected, or else the first. */
export function LanguageTabs({ blocks }: { readonly blocks: readonly TitledCode[] }) {
  const [language, setLanguage] = useChosenLanguage();
  const tabs = blocks.flatMap(({ title, text }) => {
    const id = findLanguage(title);
    return id === null ? [] : [{ id, label: LANGUAGES[id].label, text }];
  });
  const shown = tabs.find(({ id }) => id === language) ?? tabs[0];
  return shown === undefined ? null : <CodeTabs tabs={tabs} chosen={shown.id} onChoose={setLanguage} />;
}
