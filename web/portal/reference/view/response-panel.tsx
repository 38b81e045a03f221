import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import { bodyText, chosenExample, cutNote } from '../model/sample-body.ts';
import { summarizeResponse } from '../model/answer-summary.ts';
import { refusalExamples } from '../model/refusal-examples.ts';
import type { ApiDocument } from '../model/document.ts';
import { type DocumentedResponse, isJson } from '../model/operation.ts';
import { formatResponsePlace } from '../model/places.ts';
import { useExample, useMediaType, useStatus, useVariants } from './shared-choices.tsx';
import { ExampleSelect } from './example-select.tsx';
import code from '../../code/code.module.css';
import { Code } from '../../code/code.tsx';
import styles from './response-panel.module.css';
import { Tabs } from './tabs.tsx';

interface Props {
  readonly document: ApiDocument;
  readonly responses: readonly DocumentedResponse[];
}

/** Shows the responses by status, with an example of each body. */
export function ResponsePanel({ document, responses }: Props) {
  const first = responses.find(({ status }) => status.startsWith('2')) ?? responses[0];
  const [chosen, choose] = useStatus(first?.status ?? '');
  // An old link may name a status that no longer exists, so fall back to the first response.
  const response = responses.find(({ status }) => status === chosen) ?? first;
  if (response === undefined) return null;
  return (
    <section aria-label="Example responses" className={styles.panel}>
      <Tabs
        label="Status of the response"
        tabs={responses.map(({ status }) => ({
          id: status,
          label: (
            <code className={styles.status} data-class={status.charAt(0)}>
              {status}
            </code>
          ),
        }))}
        chosen={response.status}
        onChoose={choose}
      >
        <ResponseExamples key={response.status} document={document} answer={response} />
      </Tabs>
    </section>
  );
}

function ResponseExamples({
  document,
  answer: response,
}: {
  readonly document: ApiDocument;
  readonly answer: DocumentedResponse;
}) {
  const at = formatResponsePlace(response.status);
  const [type] = useMediaType(at, response.media);
  const [example, chooseExample] = useExample(at);
  const variants = useVariants();
  const given = response.media.find((each) => each.type === type);
  if (given === undefined) {
    return <p className={styles.empty}>{`${asSentence(summarizeResponse(response.description))} No body.`.trim()}</p>;
  }
  const media = given.examples.length > 0 ? given : { ...given, examples: refusalExamples(response, given) };
  const choice = { variants, example };
  const text = bodyText(document, media, choice);
  const cut = cutNote(document, media, 'Responses');
  return (
    <>
      <div className={styles.head}>
        {media.examples.length > 1 ? (
          <ExampleSelect
            examples={media.examples}
            shown={chosenExample(document, media, choice)}
            onChoose={chooseExample}
          />
        ) : (
          <span>{media.examples[0]?.summary ?? type}</span>
        )}
        <CopyIcon text={text} label="Copy the example response" />
      </div>
      {cut !== null && <p className={styles.empty}>{cut}</p>}
      <ScrollBox label={`Example of ${response.status}`} className={`${code.scrolls} ${styles.code}`}>
        {text === '' && 'The document has no example.'}
        {isJson(media.type) ? <Code text={text} language="json" /> : text}
      </ScrollBox>
    </>
  );
}

function asSentence(text: string): string {
  return /[\p{L}\p{N})]$/u.test(text) ? `${text}.` : text;
}
