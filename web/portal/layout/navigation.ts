import {
  Activity,
  BookOpen,
  ChartColumn,
  Compass,
  FileText,
  CircleGauge,
  FileSearch,
  Hourglass,
  House,
  KeyRound,
  Layers,
  LayoutDashboard,
  Play,
  ShieldCheck,
  TriangleAlert,
  Webhook,
  Zap,
} from 'lucide-react';
import type { Place, PlaceGroup } from '../../shared/ui/frame/navigation.ts';

const GUIDES: PlaceGroup = {
  group: 'Guides',
  places: [
    { label: 'Getting started', to: '/docs/getting-started', icon: Play },
    { label: 'This portal', to: '/docs/portal', icon: Compass },
    { label: 'Authentication', to: '/docs/authentication', icon: ShieldCheck },
    { label: 'Limits', to: '/docs/limits', icon: CircleGauge },
    { label: 'Usage API', to: '/docs/standing', icon: Activity },
    { label: 'Receiving events', to: '/docs/webhooks', icon: Webhook },
    { label: 'Deprecated operations', to: '/docs/lifecycle', icon: Hourglass },
    { label: 'Errors', to: '/docs/errors', icon: TriangleAlert },
  ],
};

const REFERENCE: Place = { label: 'Reference', to: '/reference', icon: BookOpen };
const EVENTS: Place = { label: 'Events', to: '/events', icon: Zap };
const PLANS: Place = { label: 'Plans', to: '/plans', icon: Layers };

/** The links of the sidebar for visitors without a session, in groups. */
export const PUBLIC_PLACES: readonly PlaceGroup[] = [
  {
    group: 'API',
    places: [{ label: 'Introduction', to: '/', icon: House }, REFERENCE, EVENTS, PLANS],
  },
  GUIDES,
];

/** The links of the sidebar for signed-in users, in groups. */
export const PLACES: readonly PlaceGroup[] = [
  {
    group: 'Your access',
    places: [
      { label: 'Overview', to: '/overview', icon: LayoutDashboard },
      { label: 'Keys', to: '/keys', icon: KeyRound },
      { label: 'Usage', to: '/usage', icon: ChartColumn },
      { label: 'Refused requests', to: '/requests', icon: FileSearch },
      { label: 'Upcoming changes', to: '/changes', icon: Hourglass },
      PLANS,
      { label: 'Webhooks', to: '/webhooks', icon: Webhook },
    ],
  },
  {
    group: 'API',
    places: [REFERENCE, EVENTS],
  },
  GUIDES,
];

/** Adds the team's own pages to the navigation, before the guides of the portal. */
export function withTeamPages(
  groups: readonly PlaceGroup[],
  pages: readonly { readonly name: string; readonly title: string }[],
): readonly PlaceGroup[] {
  const own = pages.map(({ name, title }): Place => ({ label: title, to: `/pages/${name}`, icon: FileText }));
  return groups.map((group) => (group === GUIDES ? { ...GUIDES, places: [...own, ...GUIDES.places] } : group));
}
