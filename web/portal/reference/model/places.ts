/**
 * Where something is on the page of an operation, as addresses name it (`?at=body.owner.name`): a place begins with the
 * place that it is in.
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

/** The status of the response that a place is in; undefined if it is in none. */
export function statusAt(at: string | undefined): string | undefined {
  return at?.startsWith(ANSWER) === true ? at.slice(ANSWER.length).split(/[.~[({#]/, 1)[0] : undefined;
}

/** Whether a place is in the request, rather than in what comes back or arrives. */
export function isSent(at: string): boolean {
  return at.startsWith(BODY) || at.startsWith(PARAMETERS);
}

/** Places of a body in one of several media types, by their order. */
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

/** Fields whose names are not listed. */
export function otherAt(at: string): string {
  return `${at}{}`;
}

/** Whether a place is that of a whole body, rather than of a field in it. */
export function isOutermost(at: string): boolean {
  return !at.includes('.');
}

/** Whether a place is within another. */
export function isWithin(at: string | undefined, outer: string): boolean {
  return (
    at !== undefined && at.length > outer.length && at.startsWith(outer) && '.~[({#'.includes(at[outer.length] ?? '')
  );
}
