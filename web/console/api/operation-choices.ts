import { findOwnId } from './operation-id.ts';
import type { Operation } from './operations.ts';

/** An entry that a plan or key may include: one operation, or all operations with a tag. */
export interface OperationChoice {
  /** The choice as the API takes it: the id of an operation, or `tag:NAME`. */
  readonly selector: string;
  /** Null if no operation has this id or tag. */
  readonly kind: 'tag' | 'operation' | null;
  readonly label: string;
  readonly detail: string;
}

type Selectable = Pick<Operation, 'id' | 'tags'>;

/**
 * Lists all choices: the chosen ones first, then tags, then operations. Public operations are left out, because they
 * are always included.
 */
export function createOperationChoices(operations: readonly Operation[], chosen: readonly string[]): OperationChoice[] {
  const offered = operations.filter((operation) => !operation.public);
  const tags = [...new Set(offered.flatMap((operation) => operation.tags))].toSorted();
  const choices: OperationChoice[] = [
    ...tags.map((tag) => tagChoice(tag, offered)),
    ...offered.map((operation) => ({
      selector: operation.id,
      kind: 'operation' as const,
      label: `${operation.method} ${operation.path}`,
      detail: findOwnId(operation),
    })),
  ];
  const known = new Set(choices.map(({ selector }) => selector));
  const unknown = chosen.filter((selector) => !known.has(selector)).map(unknownChoice);
  const isChosen = ({ selector }: OperationChoice) => chosen.includes(selector);
  return [...unknown, ...choices.filter(isChosen), ...choices.filter((choice) => !isChosen(choice))];
}

function tagChoice(tag: string, operations: readonly Selectable[]): OperationChoice {
  const count = operations.filter(({ tags }) => tags.includes(tag)).length;
  const detail = `all with this tag: ${count} now`;
  return { selector: `tag:${tag}`, kind: 'tag', label: `tag:${tag}`, detail };
}

function unknownChoice(selector: string): OperationChoice {
  return { selector, kind: null, label: selector, detail: 'no such operation or tag' };
}

/**
 * Finds the choices that contain every word of a text: in the method, path, id or tags of an operation, or in the tag
 * itself.
 */
export function findMatchingChoices(
  choices: readonly OperationChoice[],
  operations: readonly Operation[],
  text: string,
): OperationChoice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const tagsOf = new Map(operations.map(({ id, tags }) => [id, tags.join(' ')]));
  return choices.filter(({ selector, label }) => {
    const searched = `${selector} ${label} ${tagsOf.get(selector) ?? ''}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** True if the selectors include the operation. Null selects all operations. */
export function isIncluded(selectors: readonly string[] | null, { id, tags }: Selectable): boolean {
  return selectors === null || selectors.includes(id) || tags.some((tag) => selectors.includes(`tag:${tag}`));
}
