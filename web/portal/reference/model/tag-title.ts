import { capitalized } from '../../../shared/format/capitalized.ts';

/** A tag for display: one in lower case gets a capital, one with capitals of its own, such as `iOS`, stays as it is. */
export function tagTitle(name: string): string {
  return name === name.toLowerCase() ? capitalized(name) : name;
}
