import { Autocomplete } from '@base-ui/react/autocomplete';
import { useQuery } from '@tanstack/react-query';
import { Plus, UserRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSettled } from '../../../shared/behavior/use-settled.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Field, inputClass } from '../../../shared/ui/controls/field.tsx';
import { accountOfOwnerQuery } from '../../api/accounts.ts';
import { isStatus } from '../../../shared/transport/error.ts';
import { isOwnerId } from '../../api/owner-id.ts';
import { ownersLikeQuery } from '../../api/owners.ts';
import { createNewOwnerChoice, type OwnerChoice, findOwnerChoices } from './owner-choices.ts';
import styles from './owner-field.module.css';

interface Props {
  /** Explains the purpose of the owner, beyond being an id. */
  readonly hint: string;
  readonly optional?: boolean;
  /** Lists only owners without an account, because the field is for a new account. */
  readonly forAccount?: boolean;
  /** The initial text. Later, the field keeps the text itself. */
  readonly value: string;
  /** Suggested for a new account while the field is empty. */
  readonly proposal?: string | null;
  /** Gets null while the text is neither the id of an owner nor a choice from the list. */
  readonly onChange: (owner: string | null) => void;
}

/** Shown while the text is neither the id of an owner nor a choice from the list. */
export const NEEDS_OWNER = 'Choose the owner from the list, or create a new one there.';

const TYPING_PAUSE_MS = 200;

/**
 * A field for an owner. It suggests existing owners by id or account name. A new owner must be chosen explicitly, so
 * that a typing error ("glob" for "globex") does not create one.
 */
export function OwnerField({ hint, optional = false, forAccount = false, value, proposal = null, onChange }: Props) {
  const [text, setText] = useState(value);
  const [chosen, setChosen] = useState<OwnerChoice | null>(null);
  const [isOpen, setOpen] = useState(false);
  const given = text.trim();
  const searched = useSettled(given, TYPING_PAUSE_MS);
  const { data, isPlaceholderData } = useQuery(ownersLikeQuery(searched));
  const asked = given === '' ? (proposal ?? '') : searched;
  const ofAsked = useQuery({ ...accountOfOwnerQuery(asked), enabled: forAccount && isOwnerId(asked) });
  // The server refused the owner, because it does not exist.
  const account = isStatus(ofAsked.error, 400) ? null : ofAsked.data;
  const isFound = searched === given && !isPlaceholderData && data !== undefined && !ofAsked.isLoading;
  const hasAccount = account != null && account.owner === given;
  const choices = isFound && !hasAccount ? findOwnerChoices(given, data.items, forAccount) : [];
  const isChosen = chosen?.owner === given;
  const known = choices.find((each) => !each.isNew && each.owner === given);
  const choice = known ?? (isChosen ? chosen : undefined);
  const owner = given === '' || choice !== undefined ? given : null;
  useEffect(() => onChange(owner), [owner, onChange]);
  const isWrong = given !== '' && !isChosen && !isOwnerId(given);
  const isShown = isOpen && choices.length > 0;
  const propose = (id: string) => {
    setText(id);
    setChosen(createNewOwnerChoice(id));
  };
  return (
    <Autocomplete.Root
      items={choices}
      mode="none"
      autoHighlight
      openOnInputClick
      open={isShown}
      onOpenChange={setOpen}
      value={text}
      itemToStringValue={(each) => each.owner}
      onValueChange={(changed, { reason }) => {
        setText(changed);
        setChosen(reason === 'item-press' ? (choices.find((each) => each.owner === changed) ?? null) : null);
      }}
    >
      <Field
        label="Owner"
        hint={
          choice === undefined ? `The customer’s id, in ASCII, such as “acme-retail”. ${hint}` : describeChoice(choice)
        }
        error={
          hasAccount
            ? `This owner already has an account: ${account.name}.`
            : isWrong
              ? 'Use ASCII characters only: letters a to z, digits and punctuation.'
              : undefined
        }
        optional={optional}
      >
        {(ids) => (
          <Autocomplete.Input
            {...ids}
            // While the list is open, everything outside of it, including the label, is hidden from assistive
            // technology.
            aria-label="Owner"
            className={inputClass}
            required={!optional}
            maxLength={128}
            placeholder="Id or name"
            spellCheck={false}
            onKeyDown={(event) => {
              // If no list is open, Escape is for the dialog, and must not clear the field.
              if (event.key === 'Escape' && !isShown) event.preventBaseUIHandler();
            }}
          />
        )}
      </Field>
      {given === '' && proposal !== null && account === null && (
        <div>
          <Button onClick={() => propose(proposal)}>Use “{proposal}”, from the mail address</Button>
        </div>
      )}
      <Autocomplete.Portal>
        <Autocomplete.Positioner className={styles.place} sideOffset={4} align="start">
          <Autocomplete.Popup className={styles.popup}>
            <Autocomplete.List aria-label="Owners">
              {(each: OwnerChoice) => (
                <Autocomplete.Item
                  key={each.label + each.owner}
                  value={each}
                  className={`${styles.choice} ${each.isNew ? styles.created : ''}`}
                >
                  {each.isNew ? <Plus size={14} aria-hidden /> : <UserRound size={14} aria-hidden />}
                  <span>
                    <bdi>{each.label}</bdi>
                    <small>
                      <bdi>{each.detail}</bdi>
                    </small>
                  </span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}

function describeChoice({ isNew, owner, label, detail }: OwnerChoice): string {
  if (isNew) return 'A new owner. No key has it yet.';
  return label === owner ? `Has ${detail}.` : `${label}: ${detail}.`;
}
