import type { Change, ChangedOperation, Severity } from './change.ts';
import type { Finding, Pair } from './pair.ts';
import { nameValue } from './names.ts';

/** Field names in messages are cut off at this length. A schema may contain itself a hundred thousand levels deep. */
const MAX_PATH = 200;

/** The changes that were found, up to a limit. */
export class ChangeList {
  readonly all: Change[] = [];
  /** Why the list is not complete; null if it is. */
  incomplete: string | null = null;
  readonly #max: number;
  #visitsLeft: number;

  /** @param maxVisits maximum number of schemas to look for changes in */
  constructor(max: number, maxVisits: number) {
    this.#max = max;
    this.#visitsLeft = maxVisits;
  }

  get isFull(): boolean {
    return this.incomplete !== null;
  }

  add(change: Change): void {
    if (this.all.length < this.#max) this.all.push(change);
    else this.incomplete = `there are more than ${this.#max} changes: compare versions that are closer to each other`;
  }

  /** Whether one more schema may be looked at. */
  visit(): boolean {
    if (--this.#visitsLeft >= 0) return true;
    this.incomplete ??= 'the documents are too large to list all changes of each operation';
    return false;
  }

  forOperation(operation: ChangedOperation | null): OperationChanges {
    return new OperationChanges(this, operation);
  }
}

/** Adds the changes of one operation or webhook. */
export class OperationChanges {
  readonly #list: ChangeList;
  readonly #operation: ChangedOperation | null;

  constructor(list: ChangeList, operation: ChangedOperation | null) {
    this.#list = list;
    this.#operation = operation;
  }

  add(kind: Change['kind'], severity: Severity, pointer: string, message: string): void {
    this.#list.add({ kind, severity, operation: this.#operation, pointer, message: capitalize(message) });
  }

  /**
   * Adds what changed in a schema and in all that it refers to, nearest first.
   *
   * @param place the name of the schema's place, such as `the request body`
   */
  addSchema(root: Pair, place: string): void {
    if (!root.hasChanges) return;
    const seen = new Set([root]);
    const queue = [{ pair: root, path: '' }];
    for (const { pair, path } of queue) {
      if (this.#list.isFull || !this.#list.visit()) return;
      for (const finding of pair.findings) this.#addFinding(finding, path, place);
      for (const { step, pair: part } of pair.edges) {
        if (!part.hasChanges || seen.has(part)) continue;
        seen.add(part);
        queue.push({ pair: part, path: path.length > MAX_PATH ? path : path + step });
      }
    }
  }

  #addFinding({ kind, severity, field, pointer, what }: Finding, path: string, place: string): void {
    const fields = (field === undefined ? path : `${path}.${field}`).replace(/^\./, '');
    const subject = fields === '' ? place : `the field ${nameField(fields)} of ${place}`;
    this.add(kind, severity, pointer, `${subject} ${what}`);
  }
}

/** The end of a long path says more than its start. */
function nameField(path: string): string {
  return path.length > MAX_PATH ? `…${nameValue(path.slice(-50))}` : nameValue(path);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
