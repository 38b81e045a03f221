import { useState } from 'react';
import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import { bodyText, cutNote } from '../model/sample-body.ts';
import { answerSummary } from '../model/answer-summary.ts';
import { refusalExamples } from '../model/refusal-examples.ts';
import type { ApiDocument } from '../model/document.ts';
import { type Answer, type Example, isJson, type Media, preferredMedia } from '../model/operation.ts';
import { ANSWERS, answerAt } from '../model/places.ts';
import { useChoice } from './choices-context.tsx';
import code from './code.module.css';
import { Code } from './code.tsx';
import styles from './response-panel.module.css';
import { Tabs } from './tabs.tsx';

interface Props {
  readonly document: ApiDocument;
  readonly answers: readonly Answer[];
}

/** What comes back, by status: an example of each body. */
export function ResponsePanel({ document, answers }: Props) {
  const first = answers.find(({ status }) => status.startsWith('2')) ?? answers[0];
  const [chosen, choose] = useChoice(ANSWERS, first?.status ?? '');
  const answer = answers.find(({ status }) => status === chosen);
  if (answer === undefined) return null;
  return (
    <section aria-label="Example responses" className={styles.panel}>
      <Tabs
        label="Status of the response"
        tabs={answers.map(({ status }) => ({
          id: status,
          label: (
            <code className={styles.status} data-class={status.charAt(0)}>
              {status}
            </code>
          ),
        }))}
        chosen={chosen}
        onChoose={choose}
      >
        <AnswerExamples key={chosen} document={document} answer={answer} />
      </Tabs>
    </section>
  );
}

interface Shown {
  readonly label: string;
  readonly example: Example | null;
}

function AnswerExamples({ document, answer }: { readonly document: ApiDocument; readonly answer: Answer }) {
  const [type] = useChoice(answerAt(answer.status), preferredMedia(answer.media)?.type ?? '');
  const media = answer.media.find((each) => each.type === type);
  const [index, setIndex] = useState(0);
  if (media === undefined) {
    return <p className={styles.empty}>{`${asSentence(answerSummary(answer.description))} No body.`.trim()}</p>;
  }
  const examples = examplesOf(answer, media);
  const { label: name = '', example = null } = examples[index] ?? examples[0] ?? {};
  const text = bodyText(document, { ...media, examples: example === null ? [] : [example] });
  const cut = cutNote(document, media, 'Responses');
  return (
    <>
      <div className={styles.head}>
        {examples.length > 1 ? (
          <select
            aria-label="Example"
            className={styles.select}
            value={index}
            onChange={(event) => setIndex(Number(event.target.value))}
          >
            {examples.map(({ label }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- two examples may have the same name
              <option key={at} value={at}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <span>{name}</span>
        )}
        <CopyIcon text={text} label="Copy the example response" />
      </div>
      {cut !== null && <p className={styles.empty}>{cut}</p>}
      <ScrollBox label={`Example of ${answer.status}`} className={`${code.scrolls} ${styles.code}`}>
        {text === '' && 'The document has no example.'}
        {isJson(media.type) ? <Code text={text} language="json" /> : text}
      </ScrollBox>
    </>
  );
}

function asSentence(text: string): string {
  return /[\p{L}\p{N})]$/u.test(text) ? `${text}.` : text;
}

function examplesOf(answer: Answer, media: Media): readonly Shown[] {
  const examples = media.examples.length > 0 ? media.examples : refusalExamples(answer, media);
  if (examples.length === 0) return [{ label: media.type, example: null }];
  return examples.map((example) => ({
    label: example.name === 'example' ? media.type : (example.summary ?? example.name),
    example,
  }));
}
