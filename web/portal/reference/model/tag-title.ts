import { capitalize } from '../../../shared/format/capitalized.ts';

/**
 * Creates the title of a tag. A lowercase tag gets a capital letter. A tag with capitals, such as `iOS`, stays as it
 * is.
 */
export function tagTitle(name: string): string {
  return name === name.toLowerCase() ? capitalize(name) : name;
}
