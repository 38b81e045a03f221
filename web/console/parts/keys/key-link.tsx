import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { shortId } from '../../../shared/format/id.ts';
import { keyQuery } from '../../api/keys.ts';
import { findOwnerName } from '../../api/owner-name.ts';
import styles from '../parts.module.css';

interface Props {
  readonly id: string;
  /** The key, if it is already known. */
  readonly name?: string | undefined;
  /** In a dialog: opens a new tab, so that the input stays. */
  readonly newTab?: boolean;
  /** Adds the owner, unless it is shown nearby. */
  readonly withOwner?: boolean;
}

/** The name of a key in a sentence; its id until the name is known. Many keys have the same name. */
export function KeyLink({ id, name: given, newTab = false, withOwner = false }: Props) {
  const key = useQuery({ ...keyQuery(id), enabled: withOwner || given === undefined, staleTime: MINUTE_MS });
  const name = given ?? key.data?.name;
  return (
    <>
      <Link to="/keys/$id" params={{ id }} title={id} target={newTab ? '_blank' : undefined}>
        {name === undefined ? <code>{shortId(id)}</code> : <bdi>{name}</bdi>}
      </Link>
      {withOwner && key.data !== undefined && (
        <span className={styles.muted}>
          {' ('}
          <bdi>{findOwnerName(key.data)}</bdi>)
        </span>
      )}
    </>
  );
}
