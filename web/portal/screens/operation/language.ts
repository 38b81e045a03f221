import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Language, LANGUAGES } from '../../reference/samples/languages.ts';

const STORED_AS = 'tollgate-language';

/** The language of the samples: from the address, otherwise the one chosen last, also on another page. */
export function useLanguage(): readonly [Language, (language: Language) => void] {
  const { language } = useSearch({ from: '/reference/$id' });
  const navigate = useNavigate({ from: '/reference/$id' });
  const choose = (chosen: Language) => {
    localStorage.setItem(STORED_AS, chosen);
    void navigate({ search: (all) => ({ ...all, language: chosen }), replace: true, resetScroll: false });
  };
  return [[language, localStorage.getItem(STORED_AS)].find(isLanguage) ?? 'curl', choose];
}

function isLanguage(text: string | null | undefined): text is Language {
  return typeof text === 'string' && Object.hasOwn(LANGUAGES, text);
}
