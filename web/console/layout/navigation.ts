import {
  Ban,
  DoorOpen,
  FileSearch,
  KeyRound,
  LayoutDashboard,
  Layers,
  ScrollText,
  Server,
  UsersRound,
  Waypoints,
  Webhook,
  Zap,
} from 'lucide-react';
import type { Place } from '../../shared/ui/frame/navigation.ts';

interface PlaceWithKey extends Place {
  /** The second key of its shortcut, after `g`. */
  readonly key: string;
}

/** The links of the sidebar, by group. */
export const PLACES: readonly { readonly group: string; readonly places: readonly PlaceWithKey[] }[] = [
  {
    group: 'Traffic',
    places: [
      { label: 'Overview', to: '/overview', icon: LayoutDashboard, key: 'h' },
      { label: 'Operations', to: '/operations', icon: Waypoints, key: 'o' },
      { label: 'Explain a request', to: '/requests', icon: FileSearch, key: 'r' },
    ],
  },
  {
    group: 'Access',
    places: [
      { label: 'Keys', to: '/keys', icon: KeyRound, key: 'k' },
      { label: 'Owners', to: '/owners', icon: UsersRound, key: 'w' },
      { label: 'Plans', to: '/plans', icon: Layers, key: 'p' },
      { label: 'Bans', to: '/bans', icon: Ban, key: 'b' },
      { label: 'Portal', to: '/portal', icon: DoorOpen, key: 'd' },
    ],
  },
  {
    group: 'Events',
    places: [
      { label: 'Events', to: '/events', icon: Zap, key: 'e' },
      { label: 'Webhooks', to: '/webhooks', icon: Webhook, key: 't' },
    ],
  },
  {
    group: 'Installation',
    places: [
      { label: 'Audit', to: '/audit', icon: ScrollText, key: 'a' },
      { label: 'System', to: '/system', icon: Server, key: 's' },
    ],
  },
];
