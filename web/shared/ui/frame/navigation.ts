import type { LucideIcon } from 'lucide-react';

export interface Place {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** The number of things that wait there; 0 is not shown. */
  readonly count?: number;
}

/** A group of links in the navigation. */
export interface PlaceGroup {
  readonly group: string;
  readonly places: readonly Place[];
}

export interface NavigationProps {
  readonly groups: readonly PlaceGroup[];
  /** Called when a link is followed. */
  readonly onFollow: () => void;
}
