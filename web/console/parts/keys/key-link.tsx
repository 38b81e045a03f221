import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { shortenId } from '../../../shared/format/id.ts';
import { keyQuery } from '../../api/keys.ts';
import { findOwnerName } from '../../api/owner-name.ts';
import styles from '../parts.module.css';

interface Props {
  readonly id: string;
  /** The name of the key, if it is already known. */
  readonly name?: string | undefined;
  /** Opens a new tab, so that the input in a dialog is not lost. */
  readonly newTab?: boolean;
  /** Adds the owner, because it is not shown nearby. */
  readonly withOwner?: boolean;
}

/**
 * Links to a key by its name, for use within a sentence. Shows the id until the name is known. Many keys have the same
 * name, which `withOwner` tells apart.
 */
export function KeyLink({ id, name: given, newTab = false, withOwner = false }: Props) {
  const key = useQuery({ ...keyQuery(id), enabled: withOwner || given === undefined, staleTime: MINUTE_MS });
  const name = given ?? key.data?.name;
  return (
    <>
      <Link to="/keys/$id" params={{ id }} title={id} target={newTab ? '_blank' : undefined}>
        {name === undefined ? <code>{shortenId(id)}</code> : <bdi>{name}</bdi>}
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
