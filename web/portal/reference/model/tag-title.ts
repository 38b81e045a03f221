import { capitalize } from '../../../shared/format/capitalized.ts';

/** The title of a tag: a lowercase tag gets a capital letter, and one with capitals, such as `iOS`, stays as it is. */
export function tagTitle(name: string): string {
  return name === name.toLowerCase() ? capitalize(name) : name;
}
