import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { plural } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { useSettled } from '../../../shared/behavior/use-settled.ts';
import { isOwnerId, OWNER_PATTERN, proposedOwner } from '../../api/owner-id.ts';
import { ownersLikeQuery } from '../../api/owners.ts';
import styles from './owner-field.module.css';

interface Props {
  /** What the owner is for, beyond being an id. */
  readonly hint: string;
  readonly optional?: boolean;
  readonly value: string;
  readonly onChange: (owner: string) => void;
}

const TYPING_PAUSE_MS = 200;

/**
 * The id of an owner: offers those that there are, by id or by the name of their account, and says whose a known id is. It
 * proposes one for a name that cannot be an id.
 */
export function OwnerField({ hint, optional = false, value, onChange }: Props) {
  const list = useId();
  const given = value.trim();
  const searched = useSettled(given, TYPING_PAUSE_MS);
  const { data, isSuccess, isPlaceholderData } = useQuery(ownersLikeQuery(searched));
  const owners = data?.items ?? [];
  const isWrong = given !== '' && !isOwnerId(given);
  const proposed = proposedOwner(given);
  const isSearched = given !== '' && !isWrong && searched === given && isSuccess && !isPlaceholderData;
  const known = owners.find(({ owner }) => owner === given);
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
        placeholder="Id, or the name to find it by"
        list={list}
        value={value}
        onChange={onChange}
      />
      <datalist id={list}>
        {owners.map(({ owner, account }) => (
          <option key={owner} value={owner} label={account === null ? undefined : account.name} />
        ))}
      </datalist>
      {isSearched && (
        <p role="status">
          {known === undefined ? (
            'No key has this owner yet.'
          ) : (
            <>
              <bdi>{known.account?.name ?? known.owner}</bdi>, who has {plural(known.activeKeys, 'active key')}
            </>
          )}
        </p>
      )}
      {isWrong && proposed !== null && <Button onClick={() => onChange(proposed)}>Use “{proposed}”</Button>}
    </div>
  );
}
