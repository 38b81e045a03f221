import { createHashHistory, createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { lazyScreen } from '../shared/behavior/lazy-part.tsx';
import { only, readSearch, writeSearch } from '../shared/behavior/search-params.ts';
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
  component: lazyScreen(() => import('./screens/overview/overview-screen.tsx'), 'OverviewScreen'),
});

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyScreen(() => import('./screens/account/welcome-screen.tsx'), 'WelcomeScreen'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyScreen(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: only('period', 'key'),
  component: lazyScreen(() => import('./screens/usage/usage-screen.tsx'), 'UsageScreen'),
});

const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  validateSearch: only('id'),
  component: lazyScreen(() => import('./screens/requests/requests-screen.tsx'), 'RequestsScreen'),
});

const changes = createRoute({
  getParentRoute: () => root,
  path: '/changes',
  component: lazyScreen(() => import('./screens/changes/changes-screen.tsx'), 'ChangesScreen'),
});

const plans = createRoute({
  getParentRoute: () => root,
  path: '/plans',
  component: lazyScreen(() => import('./screens/plans/plans-screen.tsx'), 'PlansScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyScreen(() => import('./screens/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: only('status', 'delivery'),
  component: lazyScreen(() => import('./screens/webhooks/webhook-screen.tsx'), 'WebhookScreen'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyScreen(() => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
});

const reference = createRoute({
  getParentRoute: () => root,
  path: '/reference',
  validateSearch: only('q', 'service', 'tag'),
  component: lazyScreen(() => import('./screens/reference/reference-screen.tsx'), 'ReferenceScreen'),
});

const operation = createRoute({
  getParentRoute: () => root,
  path: '/reference/$id',
  validateSearch: only('at', 'language'),
  component: lazyScreen(() => import('./screens/operation/operation-screen.tsx'), 'OperationScreen'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  component: lazyScreen(() => import('./screens/events/events-screen.tsx'), 'EventsScreen'),
});

const event = createRoute({
  getParentRoute: () => root,
  path: '/events/$type',
  component: lazyScreen(() => import('./screens/events/event-screen.tsx'), 'EventScreen'),
});

const guide = createRoute({
  getParentRoute: () => root,
  path: '/docs/$page',
  component: lazyScreen(() => import('./screens/guides/guide-screen.tsx'), 'GuideScreen'),
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

// The state of a page is in the fragment: the address works below any prefix, and is in no server's log.
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
