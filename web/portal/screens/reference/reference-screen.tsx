import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Download, SearchX } from 'lucide-react';
import { Fragment, type ReactNode, useCallback, useState } from 'react';
import { count, plural } from '../../../shared/format/number.ts';
import { Button, buttonClass } from '../../../shared/ui/controls/button.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { documentUrl, searchIndexQuery } from '../../api/reference.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import list from '../../parts/link-list.module.css';
import parts from '../../parts/parts.module.css';
import { referenceQuery } from '../../parts/reference-query.ts';
import type { ListedOperation } from '../../reference/model/listed-operation.ts';
import type { OperationGroup, Reference, Service } from '../../reference/model/reference.ts';
import { searchOperations } from '../../reference/model/search.ts';
import { Badges } from '../../reference/view/badges.tsx';
import { Method } from '../../reference/view/method.tsx';
import { useSite } from '../../session/session-context.ts';
import styles from './reference-screen.module.css';

/** With more operations than this, the first page lists only tags. */
const MAX_LISTED = 80;
/** More results than this call for a longer text. */
const MAX_FOUND = 50;
/** A longer introduction is folded. */
const MAX_INTRODUCTION = 1800;

/** What can I call? */
export function ReferenceScreen() {
  const reference = useQuery(referenceQuery);
  const { service: serviceName = '', tag } = useSearch({ from: '/reference' });
  const services = reference.data?.services ?? [];
  const service = services.find(({ name }) => name === serviceName);
  const group = service?.groups.find(({ name }) => name === tag);
  if (service !== undefined && group !== undefined) return <GroupPage service={service} group={group} />;
  const shown = service !== undefined && services.length > 1 && serviceName !== '' ? service : null;
  return (
    <Page
      title={shown?.title ?? 'Reference'}
      above={shown === null ? undefined : <Link to="/reference">Reference</Link>}
      answer={<Summary services={shown === null ? services : [shown]} />}
      actions={
        <a href={documentUrl()} download="openapi.json" className={buttonClass('plain')}>
          <Download size={15} aria-hidden /> Download OpenAPI document
        </a>
      }
    >
      {reference.isPending && <Loading label="Loading the reference" />}
      {reference.isError && reference.data === undefined && <ReadFailure query={reference} what="the reference" />}
      {reference.data !== undefined && (
        <Contents reference={reference.data} services={shown === null ? services : [shown]} isTitled={shown !== null} />
      )}
    </Page>
  );
}

function Summary({ services }: { readonly services: readonly Service[] }) {
  const { apiUrl } = useSite();
  return (
    <p>
      {services.length > 0 &&
        `${plural(
          services.reduce((sum, each) => sum + sizeOf(each), 0),
          'operation',
        )} at `}
      <code>{apiUrl}</code>
    </p>
  );
}

interface ContentsProps {
  readonly reference: Reference;
  readonly services: readonly Service[];
  /** The page has the name of the service as its title. */
  readonly isTitled: boolean;
}

function Contents({ reference, services, isTitled }: ContentsProps) {
  const { q = '' } = useSearch({ from: '/reference' });
  const navigate = useNavigate({ from: '/reference' });
  const search = useCallback(
    (text: string) => void navigate({ search: (all) => ({ ...all, q: text }), replace: true }),
    [navigate],
  );
  return (
    <>
      <Toolbar>
        <FilterText
          label="Filter operations"
          placeholder="Filter by path, name, field or keyword"
          value={q}
          onChange={search}
        />
      </Toolbar>
      {q === '' ? (
        services.map((service) => (
          <ServiceSection
            key={service.name}
            service={service}
            isAlone={services.length === 1}
            isTitled={isTitled}
            isListed={services.length === 1 || reference.operations.length <= MAX_LISTED}
          />
        ))
      ) : (
        <Results reference={reference} text={q} />
      )}
    </>
  );
}

function Results({ reference, text }: { readonly reference: Reference; readonly text: string }) {
  const index = useQuery(searchIndexQuery).data;
  const found = searchOperations(reference, text, index);
  if (found.length === 0) {
    return (
      <Empty icon={SearchX} title="No matching operations">
        Try part of a path, or fewer words.
      </Empty>
    );
  }
  return (
    <Section title={plural(found.length, 'result')}>
      <Operations operations={found.slice(0, MAX_FOUND).map(({ operation }) => operation)} />
      {found.length > MAX_FOUND && (
        <p className={parts.small}>Only the best {MAX_FOUND} are shown. Refine the search to see others.</p>
      )}
    </Section>
  );
}

function ServiceSection({
  service,
  isAlone,
  isTitled,
  isListed,
}: {
  readonly service: Service;
  /** The page is about this service only. */
  readonly isAlone: boolean;
  readonly isTitled: boolean;
  /** With its operations, if they are few. */
  readonly isListed: boolean;
}) {
  const { name, title, version, description, groups } = service;
  const isShort = isListed && sizeOf(service) <= MAX_LISTED;
  return (
    <section className={styles.service} aria-label={title}>
      {!isTitled && (
        <header className={styles.serviceHead}>
          <h2>{title}</h2>
          {version !== null && !isAlone && <span className={parts.small}>Version {version}</span>}
        </header>
      )}
      {description !== null && <Introduction text={description} />}
      {isShort ? (
        groups.map((group) => (
          <Fragment key={group.name}>
            <h3 className={styles.tag}>{group.name}</h3>
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

function sizeOf({ groups }: Service): number {
  return groups.reduce((sum, { operations }) => sum + operations.length, 0);
}

function Introduction({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(text.length <= MAX_INTRODUCTION);
  if (whole) return <Markdown text={text} level={3} />;
  return (
    <>
      <Markdown text={beginningOf(text)} level={3} />
      <p>
        <Button onClick={() => setWhole(true)}>Read the whole introduction</Button>
      </p>
    </>
  );
}

/** Whole paragraphs. */
function beginningOf(text: string): string {
  const end = text.lastIndexOf('\n\n', MAX_INTRODUCTION);
  return end > 0 ? text.slice(0, end) : `${text.slice(0, MAX_INTRODUCTION)}…`;
}

function Tags({ service, groups }: { readonly service: string; readonly groups: readonly OperationGroup[] }) {
  return (
    <ul className={list.list}>
      {groups.map(({ name, description, operations }) => (
        <li key={name}>
          <Link
            to="/reference"
            search={{ service, tag: name }}
            className={`${list.row} ${styles.tagRow}`}
            activeOptions={{ exact: true }}
          >
            <span className={styles.tagName}>{name}</span>
            <span className={list.summary}>{description?.split('\n', 1)[0]}</span>
            <span className={styles.count}>{count(operations.length)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The operations with one tag. */
function GroupPage({ service, group }: { readonly service: Service; readonly group: OperationGroup }) {
  const { name, description, operations } = group;
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
    <Page title={name} above={above} answer={<p>{plural(operations.length, 'operation')}</p>}>
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
