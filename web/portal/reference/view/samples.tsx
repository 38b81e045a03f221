import { KEY_VARIABLE, type SampledCall } from '../samples/sample.ts';
import { type Language, LANGUAGES } from '../samples/languages.ts';
import { CodeTabs } from './code-tabs.tsx';

const languages = Object.keys(LANGUAGES) as Language[];

/** A call as code, in the language of the reader. */
export function Samples({ call }: { readonly call: SampledCall }) {
  return (
    <CodeTabs
      tabs={languages.map((each) => ({ id: each, label: LANGUAGES[each].label, text: LANGUAGES[each].sample(call) }))}
      note={
        call.needsKey && (
          <>
            It reads your key from the environment: <code>export {KEY_VARIABLE}=…</code>
          </>
        )
      }
    />
  );
}
