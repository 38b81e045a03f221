import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { only, readSearch, writeSearch } from '../shared/behaviour/search-params.ts';
import { App } from './layout/app.tsx';
import { NotFound, ScreenError } from './parts/not-found.tsx';

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
  component: lazyRouteComponent(() => import('./screens/overview/overview-screen.tsx'), 'OverviewScreen'),
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./screens/account/welcome-screen.tsx'), 'WelcomeScreen'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: only('period', 'key'),
  component: lazyRouteComponent(() => import('./screens/usage/usage-screen.tsx'), 'UsageScreen'),
});

const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  validateSearch: only('id'),
  component: lazyRouteComponent(() => import('./screens/requests/requests-screen.tsx'), 'RequestsScreen'),
});

const changes = createRoute({
  getParentRoute: () => root,
  path: '/changes',
  component: lazyRouteComponent(() => import('./screens/changes/changes-screen.tsx'), 'ChangesScreen'),
});

const plans = createRoute({
  getParentRoute: () => root,
  path: '/plans',
  component: lazyRouteComponent(() => import('./screens/plans/plans-screen.tsx'), 'PlansScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: only('status', 'delivery'),
  component: lazyRouteComponent(() => import('./screens/webhooks/webhook-screen.tsx'), 'WebhookScreen'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
});

const reference = createRoute({
  getParentRoute: () => root,
  path: '/reference',
  validateSearch: only('q'),
  component: lazyRouteComponent(() => import('./screens/reference/reference-screen.tsx'), 'ReferenceScreen'),
});

const operation = createRoute({
  getParentRoute: () => root,
  path: '/reference/$id',
  validateSearch: only('at', 'language'),
  component: lazyRouteComponent(() => import('./screens/operation/operation-screen.tsx'), 'OperationScreen'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  component: lazyRouteComponent(() => import('./screens/events/events-screen.tsx'), 'EventsScreen'),
});

const event = createRoute({
  getParentRoute: () => root,
  path: '/events/$type',
  component: lazyRouteComponent(() => import('./screens/events/event-screen.tsx'), 'EventScreen'),
});

const guide = createRoute({
  getParentRoute: () => root,
  path: '/docs/$page',
  component: lazyRouteComponent(() => import('./screens/guides/guide-screen.tsx'), 'GuideScreen'),
});

const screens = [
  home,
  welcome,
  overview,
  keys,
  usage,
  requests,
  changes,
  plans,
  webhooks,
  webhook,
  account,
  reference,
  operation,
  events,
  event,
  guide,
] as const;

// What a page shows stands in the fragment: the address works below any prefix, and no server's log holds it.
export const router = createRouter({
  routeTree: root.addChildren(screens),
  history: createHashHistory(),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
