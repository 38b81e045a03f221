import type { LucideIcon } from 'lucide-react';

export interface Place {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
}

/** What stands together in the navigation. */
export interface PlaceGroup {
  readonly group: string;
  readonly places: readonly Place[];
}
