import { type ReactNode, useEffect } from 'react';
import { Markdown } from '../../markdown/markdown.tsx';
import { isPlain } from '../../markdown/plain.ts';
import type { ApiDocument } from '../model/document.ts';
import { summarizeResponse } from '../model/answer-summary.ts';
import type { DocumentedResponse } from '../model/operation.ts';
import { formatResponsePlace } from '../model/places.ts';
import { useStatus } from './shared-choices.tsx';
import { isRefusal } from '../model/refusal-examples.ts';
import { GuideLink } from '../../markdown/guide-link.tsx';
import { Disclosure } from './disclosure.tsx';
import { MediaViews } from './media-view.tsx';
import styles from './reference.module.css';
import { Field } from './schema-fields.tsx';

interface Props {
  readonly document: ApiDocument;
  readonly responses: readonly DocumentedResponse[];
  /** The status of a response that is expanded in addition to the first successful one. */
  readonly opened: string | undefined;
  /** Wraps a response in an element that a URL can refer to. */
  readonly wrap: (response: DocumentedResponse, children: ReactNode) => ReactNode;
}

/** Lists the responses by status. The first successful one is expanded. */
export function Responses({ document, responses, opened, wrap }: Props) {
  const first = responses.find(({ status }) => status.startsWith('2'));
  const [chosen, choose] = useStatus(first?.status ?? '');
  useEffect(() => {
    if (opened !== undefined) choose(opened);
  }, [opened, choose]);
  return (
    <div className={styles.answers}>
      {responses.map((response) => {
        return wrap(
          response,
          <Disclosure
            isOpen={response.status === chosen}
            label={<Summary answer={response} />}
            onOpen={() => choose(response.status)}
          >
            <ResponseDetails document={document} answer={response} />
          </Disclosure>,
        );
      })}
    </div>
  );
}

function Summary({ answer: { status, description } }: { readonly answer: DocumentedResponse }) {
  return (
    <span className={styles.answerHead}>
      <code data-class={status.charAt(0)}>{status}</code> <span>{summarizeResponse(description)}</span>
    </span>
  );
}

/** Returns a description without its first line, if the summary shows that line. */
function moreThanSummary(text: string): string {
  if (!text.includes('\n')) return '';
  const [line = ''] = text.split('\n', 1);
  return isPlain(line.replaceAll('`', '')) ? text.replace(/^[^\n]*\n[ \t]*\n/, '') : text;
}

function ResponseDetails({
  document,
  answer: response,
}: {
  readonly document: ApiDocument;
  readonly answer: DocumentedResponse;
}) {
  const { description, headers, media } = response;
  const at = formatResponsePlace(response.status);
  const more = moreThanSummary(description ?? '');
  return (
    <div className={styles.answer}>
      {more !== '' && <Markdown text={more} />}
      {media.some(isRefusal) && (
        <p className={styles.constraints}>
          <GuideLink page="errors">What to do about each error</GuideLink>
        </p>
      )}
      <MediaViews document={document} media={media} at={at} />
      {headers.length > 0 && (
        <Disclosure label={`Headers (${headers.length})`}>
          <ul className={styles.fields}>
            {headers.map(({ name, description: words, schema }) => (
              <Field
                key={name}
                document={document}
                at={`${at}#${name}`}
                name={name}
                required={false}
                schema={schema}
                description={words}
              />
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}
