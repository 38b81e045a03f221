import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { OWNER_PATTERN, proposedOwner } from '../../api/owner-id.ts';
import { ownersQuery } from '../../api/owners.ts';
import styles from './owner-field.module.css';

interface Props {
  /** What the owner is for, beyond being an id. */
  readonly hint: string;
  readonly optional?: boolean;
  readonly value: string;
  readonly onChange: (owner: string) => void;
}

/** The id of an owner: suggests existing ones, and proposes one for a name that cannot be an id. */
export function OwnerField({ hint, optional = false, value, onChange }: Props) {
  const read = useInfiniteQuery(ownersQuery);
  const owners = read.data?.pages.flatMap(({ items }) => items) ?? [];
  const list = useId();
  const given = value.trim();
  const isWrong = given !== '' && !new RegExp(`^${OWNER_PATTERN}$`).test(given);
  const proposed = proposedOwner(given);
  const isNew =
    given !== '' && !isWrong && read.isSuccess && !read.hasNextPage && owners.every(({ owner }) => owner !== given);
  return (
    <div className={styles.field}>
      <TextField
        label="Owner"
        hint={`The customer’s id, in ASCII, such as “acme-retail”. ${hint}`}
        error={isWrong ? 'Use ASCII characters only: letters a to z, digits and punctuation.' : undefined}
        required={!optional}
        optional={optional}
        maxLength={128}
        pattern={OWNER_PATTERN}
        list={list}
        value={value}
        onChange={onChange}
      />
      <datalist id={list}>
        {owners.map(({ owner }) => (
          <option key={owner} value={owner} />
        ))}
      </datalist>
      {isNew && <p role="status">No key has this owner yet.</p>}
      {isWrong && proposed !== null && <Button onClick={() => onChange(proposed)}>Use “{proposed}”</Button>}
    </div>
  );
}
