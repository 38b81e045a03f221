import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { Button, buttonClass } from '../../../shared/ui/controls/button.tsx';
import { Page } from '../../../shared/ui/page/page.tsx';
import { Loading } from '../../../shared/ui/page/states.tsx';
import { documentUrl } from '../../api/reference.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import list from '../../parts/link-list.module.css';
import parts from '../../parts/parts.module.css';
import { referenceQuery } from '../../parts/reference-query.ts';
import type { ListedOperation } from '../../reference/model/listed-operation.ts';
import type { OperationGroup, Service } from '../../reference/model/reference.ts';
import { Badges } from '../../reference/view/badges.tsx';
import { Method } from '../../reference/view/method.tsx';
import { useSite } from '../../session/session-context.ts';
import styles from './reference-screen.module.css';

/** The maximum number of operations that the first page lists. If there are more, it lists only tags. */
const MAX_LISTED = 80;
/** The maximum length of an introduction, in characters. A longer one is cut, and shown in full on demand. */
const MAX_INTRODUCTION = 1800;
const MIN_PARAGRAPH = 120;

/** Lists the operations of the API. */
export function ReferenceScreen() {
  const reference = useQuery(referenceQuery);
  const { service: serviceName = '', tag } = useSearch({ from: '/reference' });
  const { services, operations } = reference.data ?? { services: [], operations: [] };
  const service = services.find(({ name }) => name === serviceName);
  const group = service?.groups.find(({ name }) => name === tag);
  if (service !== undefined && group !== undefined) return <GroupPage service={service} group={group} />;
  const shown = service !== undefined && services.length > 1 && serviceName !== '' ? service : null;
  const shownServices = shown === null ? services : [shown];
  return (
    <Page
      title={shown?.title ?? 'Reference'}
      above={shown === null ? undefined : <Link to="/reference">Reference</Link>}
      summary={<Summary services={shownServices} />}
      actions={
        <a href={documentUrl()} download="openapi.json" className={buttonClass('plain')}>
          <Download size={15} aria-hidden /> Download OpenAPI document
        </a>
      }
    >
      {reference.isPending && <Loading label="Loading the reference" />}
      {reference.isError && reference.data === undefined && <ReadFailure query={reference} what="the reference" />}
      {shownServices.map((each) => (
        <ServiceSection
          key={each.name}
          service={each}
          isTitled={each === shown}
          isAlone={shownServices.length === 1}
          isListed={operations.length <= MAX_LISTED}
        />
      ))}
    </Page>
  );
}

function Summary({ services }: { readonly services: readonly Service[] }) {
  const { apiUrl } = useSite();
  return (
    <p>
      {services.length > 0 &&
        `${pluralize(
          services.reduce((sum, each) => sum + countOperations(each), 0),
          'operation',
        )} at `}
      <code>{apiUrl}</code>
    </p>
  );
}

interface ServiceProps {
  readonly service: Service;
  /** True if the title of the page already names the service. */
  readonly isTitled: boolean;
  /** True if the page shows only this service. */
  readonly isAlone: boolean;
  /** True if the services have so few operations in total that the page lists all of them. */
  readonly isListed: boolean;
}

function ServiceSection({ service, isTitled, isAlone, isListed }: ServiceProps) {
  const { name, title, version, description, groups } = service;
  const isShort = isListed || (isAlone && countOperations(service) <= MAX_LISTED);
  return (
    <section className={styles.service} aria-label={title}>
      {!isTitled && (
        <header className={styles.serviceHead}>
          <h2>{title}</h2>
          {version !== null && !isAlone && <span className={parts.small}>Version {version}</span>}
        </header>
      )}
      {description !== null && <Introduction key={String(isAlone)} text={description} isAlone={isAlone} />}
      {isShort ? (
        groups.map((group) => (
          <Fragment key={group.name}>
            {groups.length > 1 && <h3 className={styles.tag}>{group.title}</h3>}
            {group.description !== null && <Markdown text={group.description} level={4} />}
            <Operations operations={group.operations} />
          </Fragment>
        ))
      ) : (
        <Tags service={name} groups={groups} />
      )}
    </section>
  );
}

function countOperations({ groups }: Service): number {
  return groups.reduce((sum, { operations }) => sum + operations.length, 0);
}

function Introduction({ text, isAlone }: { readonly text: string; readonly isAlone: boolean }) {
  const beginning = isAlone ? cutIntroduction(text) : firstParagraph(text);
  const [isAsked, setAsked] = useState(false);
  const whole = isAsked || beginning === text;
  return (
    <>
      <Markdown text={whole ? text : beginning} level={3} />
      {!whole && (
        <p>
          <Button onClick={() => setAsked(true)}>Read the whole introduction</Button>
        </p>
      )}
    </>
  );
}

/** Cuts a long introduction, at the end of a paragraph if possible. */
function cutIntroduction(text: string): string {
  if (text.length <= MAX_INTRODUCTION) return text;
  const end = text.lastIndexOf('\n\n', MAX_INTRODUCTION);
  return end > 0 ? text.slice(0, end) : `${text.slice(0, MAX_INTRODUCTION)}…`;
}

/**
 * Finds the beginning of an introduction. It is short, so that the operations of several services are near the top of
 * the page.
 */
function firstParagraph(text: string): string {
  const end = text.indexOf('\n\n', MIN_PARAGRAPH);
  return end > 0 && end <= MAX_INTRODUCTION ? text.slice(0, end) : cutIntroduction(text);
}

function Tags({ service, groups }: { readonly service: string; readonly groups: readonly OperationGroup[] }) {
  return (
    <ul className={list.list}>
      {groups.map(({ name, title, description, operations }) => (
        <li key={name}>
          <Link
            to="/reference"
            search={{ service, tag: name }}
            className={`${list.row} ${styles.tagRow}`}
            activeOptions={{ exact: true }}
          >
            <span className={styles.tagName}>{title}</span>
            <span className={list.summary}>{description?.split('\n', 1)[0]}</span>
            <span className={styles.count}>{formatCount(operations.length)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The page of a tag, which lists the tag's operations. */
function GroupPage({ service, group }: { readonly service: Service; readonly group: OperationGroup }) {
  const { title, description, operations } = group;
  const above: ReactNode = (
    <>
      <Link to="/reference">Reference</Link>
      {service.name !== '' && (
        <>
          {' / '}
          <Link to="/reference" search={{ service: service.name }}>
            {service.title}
          </Link>
        </>
      )}
    </>
  );
  return (
    <Page title={title} above={above} summary={<p>{pluralize(operations.length, 'operation')}</p>}>
      {description !== null && <Markdown text={description} level={2} />}
      <Operations operations={operations} />
    </Page>
  );
}

function Operations({ operations }: { readonly operations: readonly ListedOperation[] }) {
  return (
    <ul className={list.list}>
      {operations.map((operation) => (
        <li key={operation.id}>
          <OperationRow operation={operation} />
        </li>
      ))}
    </ul>
  );
}

function OperationRow({ operation }: { readonly operation: ListedOperation }) {
  const { id, method, path, summary } = operation;
  return (
    <Link to="/reference/$id" params={{ id }} className={`${list.row} ${styles.row}`}>
      <Method method={method} />
      <span className={parts.path}>{path}</span>
      <span className={`${list.summary} ${styles.summary}`}>{summary}</span>
      <span className={styles.badges}>
        <Badges operation={operation} />
      </span>
    </Link>
  );
}
