import { useNavigate, useSearch } from '@tanstack/react-router';
import { isLanguage, useChosenLanguage } from '../../reference/samples/chosen-language.ts';
import type { Language } from '../../reference/samples/languages.ts';

/** Returns the language of the samples: the one in the URL, or else the one that the user selected last on any page. */
export function useLanguage(): readonly [Language, (language: Language) => void] {
  const { language } = useSearch({ from: '/reference/$id' });
  const navigate = useNavigate({ from: '/reference/$id' });
  const [last, setLast] = useChosenLanguage();
  const choose = (chosen: Language) => {
    setLast(chosen);
    void navigate({ search: (all) => ({ ...all, language: chosen }), replace: true, resetScroll: false });
  };
  return [isLanguage(language) ? language : last, choose];
}
