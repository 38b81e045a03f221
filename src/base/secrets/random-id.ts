import { customAlphabet } from 'nanoid';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 20;

/** Digits from the system's secure random source, all equally likely. */
export const randomBase62: (length: number) => string = customAlphabet(BASE62);

/** @param kind such as `key`, for `key_…` */
export function randomId(kind: string): string {
  return `${kind}_${randomBase62(ID_LENGTH)}`;
}
