/**
 * A place on the page of an operation, as in URLs (`?at=body.owner.name`). A place begins with the place that contains
 * it.
 */
import type { Parameter } from './operation.ts';

export const BODY = 'body';
export const PARAMETERS = 'parameters';
export const ANSWERS = 'answers';
const ANSWER = 'answer-';

export function parameterAt({ in: where, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${PARAMETERS}.${where}.${name}`;
}

export function formatResponsePlace(status: string): string {
  return ANSWER + status;
}

/** The status of the response that contains a place; undefined if no response does. */
export function statusAt(at: string | undefined): string | undefined {
  return at?.startsWith(ANSWER) === true ? at.slice(ANSWER.length).split(/[.~[({#]/, 1)[0] : undefined;
}

/** Whether a place is in the request, and not in a response or an event. */
export function isSent(at: string): boolean {
  return at.startsWith(BODY) || at.startsWith(PARAMETERS);
}

/** Places of a body with several media types, by the order of the types. */
export function mediaAt(at: string, index: number): string {
  return index === 0 ? at : `${at}~${index}`;
}

export function propertyAt(at: string, name: string): string {
  return `${at}.${name}`;
}

export function entryAt(at: string): string {
  return `${at}[]`;
}

export function choiceAt(at: string, name: string): string {
  return `${at}(${name})`;
}

/** The place of fields that the schema does not name. */
export function otherAt(at: string): string {
  return `${at}{}`;
}

/** Whether a place is a whole body, and not a field in it. */
export function isOutermost(at: string): boolean {
  return !at.includes('.');
}

/** Whether a place is inside another. */
export function isWithin(at: string | undefined, outer: string): boolean {
  return (
    at !== undefined && at.length > outer.length && at.startsWith(outer) && '.~[({#'.includes(at[outer.length] ?? '')
  );
}
