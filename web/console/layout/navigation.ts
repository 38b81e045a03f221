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
  /** The key to press after `g`. */
  readonly key: string;
  /** Synonyms by which the search finds it. */
  readonly words: readonly string[];
}

/** The links of the sidebar, grouped. */
export const PLACES: readonly { readonly group: string; readonly places: readonly PlaceWithKey[] }[] = [
  {
    group: 'Traffic',
    places: [
      {
        label: 'Overview',
        to: '/overview',
        icon: LayoutDashboard,
        key: 'h',
        words: ['traffic', 'dashboard', 'home', 'errors'],
      },
      {
        label: 'Operations',
        to: '/operations',
        icon: Waypoints,
        key: 'o',
        words: ['deprecated', 'sunset', 'callers', 'endpoints'],
      },
      {
        label: 'Explain a request',
        to: '/requests',
        icon: FileSearch,
        key: 'r',
        words: ['why', 'refused', '401', '403', '429'],
      },
    ],
  },
  {
    group: 'Access',
    places: [
      { label: 'Keys', to: '/keys', icon: KeyRound, key: 'k', words: ['credentials', 'tokens', 'secrets'] },
      { label: 'Owners', to: '/owners', icon: UsersRound, key: 'w', words: ['customers', 'consumers'] },
      { label: 'Plans', to: '/plans', icon: Layers, key: 'p', words: ['limits', 'quotas', 'prices'] },
      { label: 'Bans', to: '/bans', icon: Ban, key: 'b', words: ['blocked', '403'] },
      {
        label: 'Portal',
        to: '/portal',
        icon: DoorOpen,
        key: 'd',
        words: ['approve', 'accounts', 'access requests', 'sign-in links'],
      },
    ],
  },
  {
    group: 'Events',
    places: [
      { label: 'Events', to: '/events', icon: Zap, key: 'e', words: ['notifications', 'alerts'] },
      { label: 'Webhooks', to: '/webhooks', icon: Webhook, key: 't', words: ['deliveries', 'callbacks'] },
    ],
  },
  {
    group: 'Installation',
    places: [
      { label: 'Audit', to: '/audit', icon: ScrollText, key: 'a', words: ['who changed', 'history', 'log'] },
      {
        label: 'System',
        to: '/system',
        icon: Server,
        key: 's',
        words: ['version', 'preview', 'drift', 'gateways', 'health', 'redis'],
      },
    ],
  },
];
