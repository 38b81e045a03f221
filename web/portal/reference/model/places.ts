/**
 * A place on the page of an operation, as in URLs (`?at=body.owner.name`). The name of a place begins with the name of
 * the place that contains it.
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

/** Finds the status of the response that contains a place. Undefined if the place is not in a response. */
export function statusAt(at: string | undefined): string | undefined {
  return at?.startsWith(ANSWER) === true ? at.slice(ANSWER.length).split(/[.~[({#]/, 1)[0] : undefined;
}

/** True if a place is in the request, and not in a response or an event. */
export function isSent(at: string): boolean {
  return at.startsWith(BODY) || at.startsWith(PARAMETERS);
}

/** The place of a body in one of its media types. The first media type has no number. */
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

/** The place of additional fields, which the schema does not name. */
export function otherAt(at: string): string {
  return `${at}{}`;
}

/** True if a place is a whole body, and not a field in it. */
export function isOutermost(at: string): boolean {
  return !at.includes('.');
}

/** True if a place is another place or inside of it. */
export function isWithin(at: string | undefined, outer: string): boolean {
  return (
    at !== undefined && at.length > outer.length && at.startsWith(outer) && '.~[({#'.includes(at[outer.length] ?? '')
  );
}
