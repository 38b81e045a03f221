import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Compass, Lock } from 'lucide-react';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading, Note } from '../../../shared/ui/page/states.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { referenceQuery } from '../../parts/reference-query.ts';
import type { Operation } from '../../reference/model/operation.ts';
import { operationsOf, type Reference } from '../../reference/model/reference.ts';
import { Answers } from '../../reference/view/answers.tsx';
import { Badges } from '../../reference/view/badges.tsx';
import { Credentials } from '../../reference/view/credentials.tsx';
import { MediaView } from '../../reference/view/media-view.tsx';
import { Parameters } from '../../reference/view/parameters.tsx';
import { CallPanel } from './call-panel.tsx';
import { LifecycleNote } from './lifecycle-note.tsx';
import { Part, PartLink, PartLinks, TitledPart, useShownPart } from './part.tsx';
import styles from './operation-screen.module.css';

/** Prefix of a response's part in an address; its status follows. */
const ANSWER = 'answer-';
const UP = <Link to="/reference">Reference</Link>;

/** How do I call this, and what does it return? */
export function OperationScreen() {
  const { id } = useParams({ from: '/reference/$id' });
  const reference = useQuery(referenceQuery);
  const operation =
    reference.data === undefined ? undefined : operationsOf(reference.data).find((each) => each.id === id);
  if (reference.data !== undefined && operation !== undefined) {
    return <OneOperation key={id} reference={reference.data} operation={operation} />;
  }
  return (
    <Page title="Operation" above={UP}>
      {reference.isPending && <Loading label="Loading the operation" />}
      {reference.isError && reference.data === undefined && <ReadFailure query={reference} what="the reference" />}
      {reference.data !== undefined && (
        <Empty icon={Compass} title="This operation does not exist">
          It may have been removed. The reference lists all operations.
        </Empty>
      )}
    </Page>
  );
}

interface Props {
  readonly reference: Reference;
  readonly operation: Operation;
}

function OneOperation({ reference, operation }: Props) {
  const { method, path, summary } = operation;
  const { at } = useSearch({ from: '/reference/$id' });
  useShownPart(at);
  return (
    <Page
      title={summary ?? `${method} ${path}`}
      above={UP}
      answer={
        <p className={styles.address}>
          <span className={styles.method}>{method}</span> <code>{path}</code> <Badges operation={operation} />
        </p>
      }
    >
      <PartLinks parts={partsOf(operation)} />
      <div className={styles.columns}>
        <Description document={reference.document} operation={operation} at={at} />
        <div className={styles.call}>
          <CallPanel document={reference.document} operation={operation} />
        </div>
      </div>
    </Page>
  );
}

function partsOf({ parameters, body, serviceCredentials }: Operation): readonly (readonly [string, string])[] {
  return [
    ...(serviceCredentials.length === 0 ? [] : [['credentials', 'Credentials'] as const]),
    ...(parameters.length === 0 ? [] : [['parameters', 'Parameters'] as const]),
    ...(body === null ? [] : [['body', 'Body'] as const]),
    ['answers', 'Responses'],
    ['samples', 'Code'],
    ['try', 'Try it'],
  ];
}

/** Which plans allow what the reader's does not. */
function NotIncluded({ plans }: { readonly plans: readonly string[] }) {
  return (
    <Note tone="refused" icon={Lock}>
      Your plan or key does not include this operation: calls return <code>403 operation_not_allowed</code>.{' '}
      {plans.length === 0 ? (
        'Ask the team behind this API for access.'
      ) : (
        <>
          These plans include it: {plans.join(', ')}. <Link to="/plans">Request a plan</Link>
        </>
      )}
    </Note>
  );
}

interface DescriptionProps extends Pick<Props, 'operation'> {
  readonly document: Reference['document'];
  readonly at: string | undefined;
}

function Description({ document, operation, at }: DescriptionProps) {
  const { description, parameters, body, answers } = operation;
  return (
    <div className={styles.description}>
      <LifecycleNote operation={operation} />
      {operation.missingFrom !== null && <NotIncluded plans={operation.missingFrom} />}
      {description !== null && <Markdown text={description} level={2} />}
      {operation.serviceCredentials.length > 0 && (
        <TitledPart at="credentials" title="Credentials">
          <Credentials alternatives={operation.serviceCredentials} />
        </TitledPart>
      )}
      {parameters.length > 0 && (
        <TitledPart at="parameters" title="Parameters">
          <Parameters document={document} parameters={parameters} />
        </TitledPart>
      )}
      {body !== null && (
        <TitledPart at="body" title={body.required ? 'Body' : 'Body (optional)'}>
          {body.description !== null && <Markdown text={body.description} />}
          {body.media.map((media) => (
            <MediaView key={media.type} document={document} media={media} />
          ))}
        </TitledPart>
      )}
      <TitledPart at="answers" title="Responses">
        <Answers
          document={document}
          answers={answers}
          opened={at?.startsWith(ANSWER) === true ? at.slice(ANSWER.length) : undefined}
          wrap={({ status }, children) => (
            <Part key={status} at={ANSWER + status}>
              {children}
              <PartLink at={ANSWER + status} label={`Link to ${status}`} />
            </Part>
          )}
        />
      </TitledPart>
    </div>
  );
}
