import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { startTransition, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';
import { CopyIcon } from '../../../shared/ui/controls/copy.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { isStatus } from '../../../shared/transport/error.ts';
import { partQuery } from '../../api/reference.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { Missing } from '../../parts/missing.tsx';
import { referenceQuery } from '../../parts/reference-query.ts';
import type { ListedOperation } from '../../reference/model/listed-operation.ts';
import type { JsonObject } from '../../reference/model/document.ts';
import type { Operation } from '../../reference/model/operation.ts';
import { findFieldPlace } from '../../reference/model/field-place.ts';
import { type OperationPart, readOperationPart } from '../../reference/model/operation-part.ts';
import { ANSWERS, BODY, PARAMETERS, formatResponsePlace, statusAt } from '../../reference/model/places.ts';
import { type Position, findPosition, type Reference } from '../../reference/model/reference.ts';
import { Responses } from '../../reference/view/answers.tsx';
import { Badges } from '../../reference/view/badges.tsx';
import { SharedChoices } from '../../reference/view/shared-choices.tsx';
import { MediaViews } from '../../reference/view/media-view.tsx';
import { Method } from '../../reference/view/method.tsx';
import { Parameters } from '../../reference/view/parameters.tsx';
import { PlacesContext } from '../../reference/view/places-context.tsx';
import { useSite, useVisitor } from '../../session/session-context.ts';
import { type Neighbor, nameOperation, Neighbors } from './neighbors.tsx';
import { FieldAddress, createElementId, Part, PartLink, PartLinks, TitledPart, useShownPart } from './part.tsx';
import styles from './operation-screen.module.css';

const CallPanel = lazyPart(async () => (await import('./call-panel.tsx')).CallPanel);
const Credentials = lazyPart(async () => (await import('../../reference/view/credentials.tsx')).Credentials);
const LifecycleNote = lazyPart(async () => (await import('./lifecycle-note.tsx')).LifecycleNote);
const NotIncluded = lazyPart(async () => (await import('./not-included.tsx')).NotIncluded);

const UP = <Link to="/reference">Reference</Link>;

/** Explains how to call an operation, and what it returns. */
export function OperationScreen() {
  const { id } = useParams({ from: '/reference/$id' });
  return <OperationById key={id} id={id} />;
}

function OperationById({ id }: { readonly id: string }) {
  const reference = useQuery(referenceQuery);
  const loaded = useQuery(partQuery('operation', id));
  const position = useMemo(
    () => (reference.data === undefined ? undefined : findPosition(reference.data, id)),
    [reference.data, id],
  );
  const isRead = position !== undefined && loaded.data !== undefined;
  // Render a cached operation completely at once, because the user may be going back to their scroll position.
  const [startsWhole] = useState(isRead);
  // Render hundreds of fields in steps, so that the page stays responsive.
  const isShown = useDeferredValue(isRead);
  if (isShown && reference.data !== undefined && position !== undefined && loaded.data !== undefined) {
    return (
      <OneOperation reference={reference.data} position={position} value={loaded.data} startsWhole={startsWhole} />
    );
  }
  const failed = [reference, loaded].find(({ isError, data }) => isError && data === undefined);
  const isMissing = isStatus(loaded.error, 404) || (reference.data !== undefined && position === undefined);
  return (
    <Page title="Operation" above={UP}>
      {failed === undefined && !isMissing && <Loading label="Loading the operation" />}
      {failed !== undefined && !isMissing && <ReadFailure query={failed} what="the operation" />}
      {isMissing && (
        <Missing what="operation" to="/reference" link="All operations">
          It may have been removed, or the link may be incomplete.
        </Missing>
      )}
    </Page>
  );
}

interface Props {
  readonly reference: Reference;
  readonly position: Position;
}

interface OneOperationProps extends Props {
  /** A part of the API's document that contains the operation. */
  readonly value: JsonObject;
  /** True to render everything at once. Otherwise, responses and code follow after the rest has been painted. */
  readonly startsWhole: boolean;
}

function OneOperation({ reference, position, value, startsWhole }: OneOperationProps) {
  const { document, operation } = useMemo(
    () => readOperationPart(value, position.operation),
    [value, position.operation],
  );
  const { method, path } = operation;
  const { at: place, field } = useSearch({ from: '/reference/$id' });
  const found = useMemo(
    () => (field === undefined ? undefined : findFieldPlace(document, operation, field)),
    [document, operation, field],
  );
  const at = place ?? found;
  useShownPart(at);
  const places = useMemo(() => ({ at, idOf: createElementId, Link: FieldAddress }), [at]);
  const session = useVisitor();
  const { apiUrl } = useSite();
  const [isWhole, setWhole] = useState(startsWhole);
  useEffect(() => startTransition(() => setWhole(true)), []);
  return (
    <Page
      title={nameOperation(operation)}
      // The heading can omit the method, because the line below it shows the method.
      heading={operation.summary ?? path}
      above={<Above reference={reference} position={position} />}
      summary={
        <p className={styles.address}>
          <Method method={method} /> {operation.summary !== null && <code>{path}</code>}{' '}
          <CopyIcon text={apiUrl + path} label="Copy the address" />
          <Badges operation={operation} />
        </p>
      }
    >
      <PartLinks parts={listParts(operation, session !== null)} />
      <SharedChoices>
        <div className={styles.columns}>
          <PlacesContext value={places}>
            <Description document={document} operation={operation} at={at} isWhole={isWhole} />
          </PlacesContext>
          <div className={styles.call}>{isWhole && <CallPanel document={document} operation={operation} />}</div>
        </div>
      </SharedChoices>
      {isWhole && <Neighbors previous={neighbor(position.previous)} next={neighbor(position.next)} />}
    </Page>
  );
}

function neighbor(operation: ListedOperation | undefined): Neighbor | undefined {
  return operation && { name: nameOperation(operation), to: '/reference/$id', params: { id: operation.id } };
}

/** Links to the parents of the operation in the reference: its service and group. */
function Above({ reference: { services }, position: { service, group } }: Props) {
  return (
    <>
      {UP}
      {services.length > 1 && (
        <>
          {' / '}
          <Link to="/reference" search={{ service: service.name }}>
            {service.title}
          </Link>
        </>
      )}
      {service.groups.length > 1 && (
        <>
          {' / '}
          <Link to="/reference" search={{ service: service.name, tag: group.name }}>
            {group.title}
          </Link>
        </>
      )}
    </>
  );
}

type ListedPart = readonly [at: string, title: string, isShown: boolean];

function listParts(operation: Operation, canTry: boolean): readonly ListedPart[] {
  const { parameters, body } = operation;
  const parts: readonly ListedPart[] = [
    ['credentials', 'Credentials', hasCredentials(operation)],
    ['parameters', 'Parameters', parameters.length > 0],
    ['body', 'Body', body !== null],
    [ANSWERS, 'Responses', true],
    ['samples', 'Code', true],
    ['try', 'Try it', canTry],
  ];
  return parts.filter(([, , isShown]) => isShown);
}

/** True if a call can or must send other credentials than the gateway's key. */
function hasCredentials({ serviceCredentials, tokenAlternatives, needsKey }: Operation): boolean {
  return serviceCredentials.length > 0 || (needsKey && tokenAlternatives.length > 0);
}

interface DescriptionProps {
  readonly operation: Operation;
  readonly document: OperationPart['document'];
  readonly at: string | undefined;
  readonly isWhole: boolean;
}

function Description({ document, operation, at, isWhole }: DescriptionProps) {
  const { description, parameters, body, responses } = operation;
  return (
    <div className={styles.description}>
      {isNoted(operation) && <LifecycleNote operation={operation} />}
      {operation.missingFrom !== null && <NotIncluded plans={operation.missingFrom} />}
      {description !== null && <Markdown text={description} level={2} />}
      {hasCredentials(operation) && (
        <TitledPart at="credentials" title="Credentials">
          <Credentials operation={operation} />
        </TitledPart>
      )}
      {parameters.length > 0 && (
        <TitledPart at={PARAMETERS} title="Parameters">
          <Parameters document={document} parameters={parameters} />
        </TitledPart>
      )}
      {body !== null && (
        <TitledPart at={BODY} title={body.required ? 'Body' : 'Body (optional)'}>
          {body.description !== null && <Markdown text={body.description} />}
          <MediaViews document={document.without('readOnly')} media={body.media} at={BODY} />
        </TitledPart>
      )}
      {isWhole && (
        <TitledPart at={ANSWERS} title="Responses">
          <Responses
            document={document.without('writeOnly')}
            responses={responses}
            opened={statusAt(at)}
            wrap={({ status }, children) => (
              <Part key={status} at={formatResponsePlace(status)}>
                {children}
                <PartLink at={formatResponsePlace(status)} label={`Link to ${status}`} />
              </Part>
            )}
          />
        </TitledPart>
      )}
    </div>
  );
}

function isNoted({ lifecycle: { deprecated, sunsetAt, stability } }: Operation): boolean {
  return deprecated || sunsetAt !== null || stability !== null;
}
