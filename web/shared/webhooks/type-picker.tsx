import { useId, useState } from 'react';
import { groupTypes } from './type-groups.ts';
import { ALL_TYPES, type EventType } from './webhook.ts';
import styles from './webhooks.module.css';

interface Props {
  /** All event types. Undefined until they are loaded. */
  readonly types: readonly EventType[] | undefined;
  readonly value: readonly string[];
  readonly onChange: (types: readonly string[]) => void;
}

const GONE_MESSAGE = 'This type no longer exists. Remove it.';

/** A field that selects the events to send: all of them, or some types, grouped by subject. */
export function TypePicker({ types = [], value, onChange }: Props) {
  const all = value.includes(ALL_TYPES);
  // Keeps the selected types if the user switches to all events and back.
  const [some, setSome] = useState<readonly string[]>(all ? [] : value);
  const name = useId();
  const choose = (chosen: readonly string[]) => {
    setSome(chosen);
    onChange(chosen);
  };
  const known = new Set(types.map((type) => type.name));
  const gone = value.filter((type) => type !== ALL_TYPES && !known.has(type));
  const offered = types.length === 0 ? [] : [...types, ...gone.map((type) => ({ name: type, summary: GONE_MESSAGE }))];
  return (
    <fieldset className={styles.picker}>
      <legend>Events</legend>
      <label className={styles.choice}>
        <input type="radio" name={name} checked={all} onChange={() => onChange([ALL_TYPES])} />
        <span>All events</span>
        <span className={styles.detail}>including types added later</span>
      </label>
      <label className={styles.choice}>
        <input type="radio" name={name} checked={!all} onChange={() => onChange(some)} />
        <span>Only some</span>
        {!all && value.length === 0 && <span className={styles.detail}>choose at least one</span>}
      </label>
      {!all && (
        <div className={styles.groups}>
          {groupTypes(offered).map((group) => (
            <Group key={group.name} {...group} value={value} onChange={choose} />
          ))}
        </div>
      )}
    </fieldset>
  );
}

function Group({
  name,
  types,
  value,
  onChange,
}: Pick<Props, 'value' | 'onChange'> & { readonly name: string; readonly types: readonly EventType[] }) {
  const toggle = (type: string) =>
    onChange(value.includes(type) ? value.filter((each) => each !== type) : [...value, type]);
  return (
    <fieldset className={styles.group}>
      <legend>{name}</legend>
      {types.map((type) => (
        <label key={type.name} className={styles.choice}>
          <input type="checkbox" checked={value.includes(type.name)} onChange={() => toggle(type.name)} />
          <code>{type.name}</code>
          <span className={styles.detail}>{type.summary}</span>
        </label>
      ))}
    </fieldset>
  );
}
