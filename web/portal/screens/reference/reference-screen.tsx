import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useCallback } from 'react';
import { plural } from '../../../shared/format/number.ts';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Page, Section, Toolbar } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import list from '../../parts/link-list.module.css';
import { referenceQuery } from '../../parts/reference-query.ts';
import parts from '../../parts/parts.module.css';
import type { Operation } from '../../reference/model/operation.ts';
import { type OperationGroup, operationsOf, type Reference } from '../../reference/model/reference.ts';
import { searchOperations } from '../../reference/model/search.ts';
import { Badges } from '../../reference/view/badges.tsx';
import { useSite } from '../../session/session-context.ts';
import styles from './reference-screen.module.css';

/** What can I call? */
export function ReferenceScreen() {
  const reference = useQuery(referenceQuery);
  const { apiUrl } = useSite();
  return (
    <Page
      title="Reference"
      heading={reference.data?.title ?? 'Reference'}
      answer={
        <p>
          {reference.data !== undefined && `${plural(operationsOf(reference.data).length, 'operation')} at `}
          <code>{apiUrl}</code>
        </p>
      }
    >
      {reference.isPending && <Loading label="Loading the reference" />}
      {reference.isError && reference.data === undefined && <ReadFailure query={reference} what="the reference" />}
      {reference.data !== undefined && <Groups reference={reference.data} />}
    </Page>
  );
}

function Groups({ reference }: { readonly reference: Reference }) {
  const { q = '' } = useSearch({ from: '/reference' });
  const navigate = useNavigate({ from: '/reference' });
  const search = useCallback((text: string) => void navigate({ search: { q: text }, replace: true }), [navigate]);
  const found = new Set(searchOperations(reference, q));
  const groups = reference.groups
    .map((group) => ({ ...group, operations: group.operations.filter((each) => found.has(each)) }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <>
      {q === '' && reference.description !== null && <Markdown text={reference.description} level={2} />}
      <Toolbar>
        <FilterText label="Filter operations" placeholder="Path, name or keyword" value={q} onChange={search} />
      </Toolbar>
      {groups.length === 0 && (
        <Empty icon={SearchX} title="No matching operations">
          Try part of a path, or fewer words.
        </Empty>
      )}
      {groups.map((group) => (
        <Group key={group.name} group={group} />
      ))}
    </>
  );
}

function Group({ group: { name, description, operations } }: { readonly group: OperationGroup }) {
  return (
    <Section title={name}>
      {description !== null && <Markdown text={description} />}
      <ul className={list.list}>
        {operations.map((operation) => (
          <li key={operation.id}>
            <OperationRow operation={operation} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function OperationRow({ operation }: { readonly operation: Operation }) {
  const { id, method, path, summary } = operation;
  return (
    <Link to="/reference/$id" params={{ id }} className={`${list.row} ${styles.row}`}>
      <span className={styles.method}>{method}</span>
      <span className={parts.path}>{path}</span>
      <span className={`${list.summary} ${styles.summary}`}>{summary}</span>
      <span className={styles.badges}>
        <Badges operation={operation} />
      </span>
    </Link>
  );
}
