import { capitalize } from '../format/capitalized.ts';
import type { EventType } from './webhook.ts';

export interface TypeGroup<Type extends EventType> {
  /** The subject in words, such as "Plan request" for all types that begin with `plan_request.` */
  readonly name: string;
  readonly types: readonly Type[];
}

/** Groups event types by their subject, in the order in which the subjects first occur. */
export function groupTypes<Type extends EventType>(types: readonly Type[]): readonly TypeGroup<Type>[] {
  const groups = Map.groupBy(types, ({ name }) => name.split('.', 1)[0] ?? '');
  return [...groups].map(([about, of]) => ({ name: formatGroupName(about), types: of }));
}

/** Names the selected types: "every event", "key.created", "key.created and key.banned", "key.created and 2 more". */
export function formatTypes(types: readonly string[]): string {
  const [first = '', ...others] = types;
  if (first === '*') return 'every event';
  if (others.length === 0) return first;
  return `${first} and ${others.length === 1 ? others[0] : `${others.length} more`}`;
}

function formatGroupName(about: string): string {
  const words = about.replaceAll('_', ' ');
  return capitalize(words);
}
