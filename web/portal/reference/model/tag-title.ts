import { capitalized } from '../../../shared/format/capitalized.ts';

/** Names in lower case would stand beside those of services that begin theirs with a capital. */
export function tagTitle(name: string): string {
  return name === name.toLowerCase() ? capitalized(name) : name;
}
