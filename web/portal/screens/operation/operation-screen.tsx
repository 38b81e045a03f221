import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { referenceQuery } from '../../parts/reference-query.ts';
import type { Operation } from '../../reference/model/operation.ts';
import { operationsOf, type Reference } from '../../reference/model/reference.ts';
import { Answers } from '../../reference/view/answers.tsx';
import { Badges } from '../../reference/view/badges.tsx';
import { MediaView } from '../../reference/view/media-view.tsx';
import { Parameters } from '../../reference/view/parameters.tsx';
import { CallPanel } from './call-panel.tsx';
import { LifecycleNote } from './lifecycle-note.tsx';
import styles from './operation-screen.module.css';

const UP = <Link to="/reference">Reference</Link>;

/** How do I call this, and what comes back? */
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
      {reference.isError && reference.data === undefined && <ReadFailure query={reference} what="The reference" />}
      {reference.data !== undefined && (
        <Empty icon={Compass} title="There is no such operation">
          It may have ended. The reference lists all that can be called.
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
      <div className={styles.columns}>
        <Description document={reference.document} operation={operation} />
        <div className={styles.call}>
          <CallPanel document={reference.document} operation={operation} />
        </div>
      </div>
    </Page>
  );
}

function Description({ document, operation }: Pick<Props, 'operation'> & { readonly document: Reference['document'] }) {
  const { description, parameters, body, answers, lifecycle } = operation;
  return (
    <div className={styles.description}>
      <LifecycleNote lifecycle={lifecycle} />
      {description !== null && <Markdown text={description} level={2} />}
      {parameters.length > 0 && (
        <Section title="Parameters">
          <Parameters document={document} parameters={parameters} />
        </Section>
      )}
      {body !== null && (
        <Section title={body.required ? 'Body' : 'Body (optional)'}>
          {body.description !== null && <Markdown text={body.description} />}
          {body.media.map((media) => (
            <MediaView key={media.type} document={document} media={media} />
          ))}
        </Section>
      )}
      <Section title="Answers">
        <Answers document={document} answers={answers} />
      </Section>
    </div>
  );
}
