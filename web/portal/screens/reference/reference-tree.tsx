import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../shared/format/number.ts';
import { fileAddress } from '../../api/transport/root.ts';
import { referenceQuery } from '../../parts/reference-query.ts';
import type { ListedOperation } from '../../reference/model/listed-operation.ts';
import { hasName, searchedWords } from '../../reference/model/operation-name.ts';
import { findPosition, type Reference, type Service } from '../../reference/model/reference.ts';
import { Method } from '../../reference/view/method.tsx';
import styles from './reference-tree.module.css';

/** The number of matches that are shown. If there are more, the user should refine the filter. */
const MAX_MATCHES = 100;
/** The navigation is rendered this much later than the screen, because the user came for the screen. */
const HEAD_START_MS = 100;

interface Props {
  readonly onFollow: () => void;
}

/** The navigation of the reference: all operations, grouped by service and tag. */
export function ReferenceTree({ onFollow }: Props) {
  const { data } = useQuery(referenceQuery);
  const isRead = data !== undefined;
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    if (!isRead) return undefined;
    const timer = setTimeout(() => setWaited(true), HEAD_START_MS);
    return () => clearTimeout(timer);
  }, [isRead]);
  // Render the navigation in steps, so that the page stays responsive.
  const reference = useDeferredValue(hasWaited ? data : undefined);
  return reference === undefined ? null : <Tree reference={reference} onFollow={onFollow} />;
}

function Tree({ reference, onFollow }: Props & { readonly reference: Reference }) {
  const { id } = useParams({ strict: false });
  const { service: chosenService = '', tag } = useSearch({ strict: false });
  const [text, setText] = useState('');
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const filter = useDeferredValue(text);
  const position = useMemo(() => (id === undefined ? undefined : findPosition(reference, id)), [reference, id]);
  const current = position === undefined ? [chosenService, tag] : [position.service.name, position.group.name];
  // The services with a single tag. Its title is left out, because it adds nothing to the title of the service.
  const single = useMemo(
    () => new Set(reference.services.filter(({ groups }) => groups.length === 1).map(({ name }) => name)),
    [reference],
  );
  const { services, hidden } = useMemo(() => filtered(reference.services, filter), [reference, filter]);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Wait for the next frame, in which the page is laid out anyway.
    const next = requestAnimationFrame(() =>
      list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(next);
  }, [id]);
  return (
    <div className={styles.tree}>
      <div className={styles.bar}>
        <input
          type="search"
          aria-label="Filter the operations of the reference"
          placeholder="Filter operations"
          className={styles.filter}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div ref={list} className={styles.services}>
        {services.map((service) => (
          <div key={service.name} className={styles.service}>
            {!single.has(service.name) && (
              <Link
                to="/reference"
                search={service.name === '' ? {} : { service: service.name }}
                className={styles.serviceName}
                activeOptions={{ exact: true }}
                activeProps={{ 'aria-current': undefined }}
                onClick={onFollow}
              >
                {service.title}
              </Link>
            )}
            {service.groups.map((group) => {
              const key = JSON.stringify([service.name, group.name]);
              const isCurrent = current[0] === service.name && current[1] === group.name;
              const isOpen = filter !== '' || (toggled.get(key) ?? isCurrent);
              return (
                <Group
                  key={group.name}
                  title={single.has(service.name) ? service.title : group.title}
                  operations={group.operations}
                  isOpen={isOpen}
                  current={id}
                  onFollow={onFollow}
                  onToggle={() => setToggled(new Map(toggled).set(key, !isOpen))}
                />
              );
            })}
          </div>
        ))}
        <p role="status" className={styles.note}>
          {services.length === 0 && 'No matching operations.'}
          {hidden > 0 && `${formatCount(hidden)} more. Refine the search to see them.`}
        </p>
      </div>
    </div>
  );
}

interface GroupProps extends Props {
  readonly title: string;
  readonly operations: readonly ListedOperation[];
  readonly isOpen: boolean;
  /** The id of the operation on the current page. */
  readonly current: string | undefined;
  readonly onToggle: () => void;
}

function Group({ title, operations, isOpen, current, onFollow, onToggle }: GroupProps) {
  return (
    <div>
      <button type="button" aria-expanded={isOpen} className={styles.group} onClick={onToggle}>
        <ChevronRight size={14} aria-hidden />
        <span className={styles.groupName}>{title}</span>
        <span className={styles.count}>{formatCount(operations.length)}</span>
      </button>
      {isOpen && (
        <ul>
          {operations.map((operation) => (
            <li key={operation.id}>
              <OperationItem operation={operation} isCurrent={operation.id === current} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A link to an operation. It is a plain element instead of the router's link, because there may be hundreds. */
function OperationItem({
  operation,
  isCurrent,
  onFollow,
}: Props & { readonly operation: ListedOperation; readonly isCurrent: boolean }) {
  const router = useRouter();
  const isDeprecated = operation.lifecycle.deprecated;
  return (
    <a
      href={fileAddress(`reference/${encodeURIComponent(operation.id)}`)}
      aria-current={isCurrent ? 'page' : undefined}
      className={styles.operation}
      title={`${operation.method} ${operation.path}${isDeprecated ? ' (deprecated)' : ''}`}
      data-deprecated={isDeprecated || undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onFollow();
        void router.navigate({ to: '/reference/$id', params: { id: operation.id } });
      }}
    >
      <Method method={operation.method} short />
      <span className={styles.operationName}>{operation.summary ?? operation.path}</span>
    </a>
  );
}

interface Filtered {
  readonly services: readonly Service[];
  /** The number of further matches, which are not shown. */
  readonly hidden: number;
}

function filtered(services: readonly Service[], text: string): Filtered {
  const words = searchedWords(text);
  if (words.length === 0) return { services, hidden: 0 };
  let matches = 0;
  const some = services.map((service) => ({
    ...service,
    groups: service.groups
      .map((group) => ({
        ...group,
        operations: group.operations.filter((operation) => {
          const isMatch = hasName(operation, words);
          if (isMatch) matches += 1;
          return isMatch && matches <= MAX_MATCHES;
        }),
      }))
      .filter(({ operations }) => operations.length > 0),
  }));
  return { services: some.filter(({ groups }) => groups.length > 0), hidden: Math.max(0, matches - MAX_MATCHES) };
}
