import { KeyRound, type LucideIcon } from 'lucide-react';

export interface Place {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** Follows `g`. */
  readonly key: string;
}

/** What is in the sidebar, group by group. */
export const PLACES: readonly { readonly group: string; readonly places: readonly Place[] }[] = [
  {
    group: 'Access',
    places: [{ label: 'Keys', to: '/keys', icon: KeyRound, key: 'k' }],
  },
];
