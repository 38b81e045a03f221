import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { formatCount } from '../../../shared/format/number.ts';
import { operationsQuery, type Operation } from '../../api/operations.ts';
import {
  isIncluded,
  findMatchingChoices,
  type OperationChoice,
  createOperationChoices,
} from '../../api/operation-choices.ts';
import styles from './operation-picker.module.css';

interface Props {
  /** Selectors; null: all operations. */
  readonly value: readonly string[] | null;
  readonly onChange: (selectors: readonly string[] | null) => void;
  /** The selectors of the key's plan, which limit the choice. Omitted if the field is for a plan. */
  readonly within?: readonly string[] | null;
}

const NONE: readonly Operation[] = [];

/** Chooses the operations that a plan or key includes: all of them, or a selection of those that are served. */
export function OperationPicker({ value, onChange, within }: Props) {
  // Keeps the earlier selection for users who change their mind.
  const [some, setSome] = useState<readonly string[]>(value ?? []);
  const name = useId();
  const choose = (selectors: readonly string[]) => {
    setSome(selectors);
    onChange(selectors);
  };
  return (
    <fieldset className={styles.picker}>
      <legend>Operations</legend>
      <label className={styles.kind}>
        <input type="radio" name={name} checked={value === null} onChange={() => onChange(null)} />
        <span>All operations</span>
        <span className={styles.detail}>
          {within === undefined ? 'including operations added later' : 'all that its plan includes'}
        </span>
      </label>
      <label className={styles.kind}>
        <input type="radio" name={name} checked={value !== null} onChange={() => onChange(some)} />
        <span>Only some</span>
        {value?.length === 0 && <span className={styles.detail}>choose at least one</span>}
      </label>
      {value !== null && <Choices value={value} onChange={choose} within={within ?? null} />}
    </fieldset>
  );
}

/** A longer list would be slow to render and too long to read. The search finds the rest. */
const MAX_SHOWN = 100;

interface ChoicesProps {
  readonly value: readonly string[];
  readonly onChange: (selectors: readonly string[]) => void;
  readonly within: readonly string[] | null;
}

/** A search with a list of choices below it, driven by the arrow keys and Enter (the combobox pattern of ARIA). */
function Choices({ value, onChange, within }: ChoicesProps) {
  const read = useQuery(operationsQuery);
  const operations = read.data ?? NONE;
  // Choices that were selected when the list was opened stay in place, rather than jump to the top.
  const [chosenBefore] = useState(value);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const found = findMatchingChoices(createOperationChoices(operations, chosenBefore), operations, text);
  const shown = found.slice(0, MAX_SHOWN);
  const toggle = ({ selector }: OperationChoice) =>
    onChange(value.includes(selector) ? value.filter((each) => each !== selector) : [...value, selector]);
  const moveTo = (index: number) => {
    setActive(index);
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      moveTo((active + step + shown.length) % shown.length);
    } else if (event.key === 'Enter') {
      // Enter must not submit the form. Its button does that.
      event.preventDefault();
      const choice = shown[active];
      if (choice !== undefined) toggle(choice);
    }
  };
  return (
    <div className={styles.choices}>
      <input
        role="combobox"
        aria-label="Search the operations"
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-activedescendant={shown.length > 0 ? `${listId}-${active}` : undefined}
        className={styles.search}
        placeholder="Search by id, path or tag"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Operations and tags"
        aria-multiselectable
        className={styles.list}
      >
        {shown.map((choice, index) => (
          <Choice
            key={choice.selector}
            id={`${listId}-${index}`}
            choice={choice}
            chosen={value.includes(choice.selector)}
            note={noteOn(choice, operations, value, within)}
            active={index === active}
            onClick={() => {
              setActive(index);
              toggle(choice);
            }}
          />
        ))}
      </div>
      <p role="status" className={styles.status}>
        {read.isPending && 'Loading operations…'}
        {read.isError && 'Could not load the operations. Close the dialog and try again.'}
        {read.isSuccess && describeSelection(operations, value, within, found.length)}
      </p>
    </div>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly choice: OperationChoice;
  readonly chosen: boolean;
  readonly note: string;
  readonly active: boolean;
  readonly onClick: () => void;
}

function Choice({ id, choice, chosen, note, active, onClick }: ChoiceProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field has the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      data-active={active}
      className={styles.choice}
      onClick={onClick}
    >
      <span className={styles.box}>{chosen && <Check size={12} aria-hidden />}</span>
      <bdi className={styles.label}>{choice.label}</bdi>
      <bdi className={styles.detail}>{note}</bdi>
    </div>
  );
}

/** Describes a choice further, after its label. */
function noteOn(
  { selector, kind, detail }: OperationChoice,
  operations: readonly Operation[],
  chosen: readonly string[],
  within: readonly string[] | null,
): string {
  const operation = kind === 'operation' ? operations.find(({ id }) => id === selector) : undefined;
  if (operation === undefined) return detail;
  if (!isIncluded(within, operation)) return withDetail(detail, 'not in its plan');
  const tag = operation.tags.find((each) => chosen.includes(`tag:${each}`));
  return tag === undefined ? detail : withDetail(detail, 'by its tag');
}

function withDetail(detail: string, note: string): string {
  return detail === '' ? note : `${detail}, ${note}`;
}

function describeSelection(
  operations: readonly Operation[],
  chosen: readonly string[],
  within: readonly string[] | null,
  found: number,
): string {
  const included = operations.filter(
    (operation) => operation.public || (isIncluded(chosen, operation) && isIncluded(within, operation)),
  ).length;
  const open = operations.filter((operation) => operation.public).length;
  const summary = `Includes ${formatCount(included)} of ${formatCount(operations.length)} operations`;
  const without = open === 0 ? '' : `, ${formatCount(open)} of which ${open === 1 ? 'needs' : 'need'} no key`;
  if (found === 0) return 'Nothing matches.';
  return `${summary}${without}.${found > MAX_SHOWN ? ` ${formatCount(found - MAX_SHOWN)} more. Refine the search to see them.` : ''}`;
}
