import { createHashHistory, createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { App } from './layout/app.tsx';
import { NotFound, ScreenError } from './parts/not-found.tsx';
import { lazyScreen } from '../shared/behavior/lazy-part.tsx';
import { PERIOD_PARAMETERS } from '../shared/traffic/period-parameters.ts';
import { keepParameters, readSearch, writeSearch } from '../shared/behavior/search-params.ts';

const root = createRootRoute({ component: App, notFoundComponent: NotFound, errorComponent: ScreenError });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview', replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  validateSearch: keepParameters(...PERIOD_PARAMETERS, 'entry'),
  component: lazyScreen(() => import('./screens/overview/overview-screen.tsx'), 'OverviewScreen'),
});

const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  validateSearch: keepParameters('q', 'state', ...PERIOD_PARAMETERS, 'sort'),
  component: lazyScreen(() => import('./screens/operations/operations-screen.tsx'), 'OperationsScreen'),
});

const operation = createRoute({
  getParentRoute: () => root,
  path: '/operations/$id',
  validateSearch: keepParameters(...PERIOD_PARAMETERS, 'part', 'by'),
  component: lazyScreen(() => import('./screens/operation/operation-screen.tsx'), 'OperationScreen'),
});

const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  validateSearch: keepParameters('service', 'days'),
  component: lazyScreen(() => import('./screens/documents/documents-screen.tsx'), 'DocumentsScreen'),
});

const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  validateSearch: keepParameters('id', 'key', 'owner', 'code', 'operation'),
  component: lazyScreen(() => import('./screens/requests/requests-screen.tsx'), 'RequestsScreen'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: keepParameters(
    'q',
    'owner',
    'plan',
    'kind',
    'token',
    'status',
    'state',
    'expiresWithin',
    'unusedFor',
    'sort',
    'do',
  ),
  component: lazyScreen(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
});

const key = createRoute({
  getParentRoute: () => root,
  path: '/keys/$id',
  validateSearch: keepParameters(...PERIOD_PARAMETERS, 'do', 'entry'),
  component: lazyScreen(() => import('./screens/key/key-screen.tsx'), 'KeyScreen'),
});

const owners = createRoute({
  getParentRoute: () => root,
  path: '/owners',
  validateSearch: keepParameters('q', ...PERIOD_PARAMETERS, 'sort'),
  component: lazyScreen(() => import('./screens/owners/owners-screen.tsx'), 'OwnersScreen'),
});

const owner = createRoute({
  getParentRoute: () => root,
  path: '/owners/$owner',
  validateSearch: keepParameters(...PERIOD_PARAMETERS),
  component: lazyScreen(() => import('./screens/owner/owner-screen.tsx'), 'OwnerScreen'),
});

const plans = createRoute({
  getParentRoute: () => root,
  path: '/plans',
  validateSearch: keepParameters('sort', 'do'),
  component: lazyScreen(() => import('./screens/plans/plans-screen.tsx'), 'PlansScreen'),
});

const plan = createRoute({
  getParentRoute: () => root,
  path: '/plans/$id',
  validateSearch: keepParameters(...PERIOD_PARAMETERS, 'entry'),
  component: lazyScreen(() => import('./screens/plan/plan-screen.tsx'), 'PlanScreen'),
});

const bans = createRoute({
  getParentRoute: () => root,
  path: '/bans',
  validateSearch: keepParameters('status', 'q', 'owner', 'sort'),
  component: lazyScreen(() => import('./screens/bans/bans-screen.tsx'), 'BansScreen'),
});

const portal = createRoute({
  getParentRoute: () => root,
  path: '/portal',
  validateSearch: keepParameters('q', 'status', 'sort', 'do'),
  component: lazyScreen(() => import('./screens/portal/portal-screen.tsx'), 'PortalScreen'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  validateSearch: keepParameters('type', 'subject', 'from', 'to', 'sort', 'event'),
  component: lazyScreen(() => import('./screens/events/events-screen.tsx'), 'EventsScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: keepParameters('account', 'status', 'state', 'sort', 'do'),
  component: lazyScreen(() => import('./screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: keepParameters('status', 'delivery', 'entry'),
  component: lazyScreen(() => import('./screens/webhooks/webhook-screen.tsx'), 'WebhookScreen'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: keepParameters('subject', 'actor', 'action', 'bulkId', 'from', 'to', 'signIns', 'entry'),
  component: lazyScreen(() => import('./screens/audit/audit-screen.tsx'), 'AuditScreen'),
});

const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  validateSearch: keepParameters('q', 'source', 'do'),
  component: lazyScreen(() => import('./screens/system/system-screen.tsx'), 'SystemScreen'),
});

const screens = [
  home,
  overview,
  operations,
  operation,
  documents,
  requests,
  keys,
  key,
  owners,
  owner,
  plans,
  plan,
  bans,
  portal,
  events,
  webhooks,
  webhook,
  audit,
  system,
] as const;

// The URL of a screen is in the fragment, so that the console works below any path prefix and no server logs it.
export const router = createRouter({
  routeTree: root.addChildren(screens),
  history: createHashHistory(),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
