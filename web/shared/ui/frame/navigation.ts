import type { LucideIcon } from 'lucide-react';

export interface Place {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** The number of things that wait on the screen. Hidden if it is 0. */
  readonly count?: number;
}

/** A group of links in the navigation. */
export interface PlaceGroup {
  readonly group: string;
  readonly places: readonly Place[];
}

export interface NavigationProps {
  readonly groups: readonly PlaceGroup[];
  /** Called when the user follows a link. */
  readonly onFollow: () => void;
}
