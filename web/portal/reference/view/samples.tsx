import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Language, LANGUAGES } from '../samples/languages.ts';
import { KEY_VARIABLE, type SampledCall } from '../samples/sample.ts';
import { GuideLink } from '../../markdown/guide-link.tsx';
import type { Placeholders } from '../../code/code.tsx';
import { CodeTabs } from './code-tabs.tsx';

const languages = Object.keys(LANGUAGES) as Language[];

interface Props {
  readonly call: SampledCall;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  /** A note that the shown body is incomplete, or null. */
  readonly cut?: string | null;
  /** A link beside the copy button. */
  readonly link?: ReactNode;
  /** The select for the example, shown above the code. */
  readonly example?: ReactNode;
  readonly placeholders?: Placeholders;
}

/** Shows the code of a call in the user's language. */
export function Samples({ call, language, cut = null, onLanguage, link, example, placeholders }: Props) {
  const text = useSample(call, language);
  return (
    <CodeTabs
      tabs={languages.map((id) => ({ id, label: LANGUAGES[id].label, text: id === language ? text : '' }))}
      chosen={language}
      onChoose={onLanguage}
      link={link}
      above={example}
      placeholders={placeholders}
      note={
        (call.needsKey || cut !== null) && (
          <>
            {call.needsKey && (
              <>
                Set your key first: <code>export {KEY_VARIABLE}=…</code> (see{' '}
                <GuideLink page="authentication">authentication</GuideLink>).{' '}
              </>
            )}
            {cut}
          </>
        )
      }
    />
  );
}

function useSample(call: SampledCall, language: Language): string {
  const make = useQuery({
    queryKey: ['sample', language],
    queryFn: async () => LANGUAGES[language].load(),
    staleTime: Infinity,
    structuralSharing: false,
  });
  if (make.isError) return 'This part of the page could not be loaded. Reload the page.';
  return make.data?.(call) ?? '';
}
