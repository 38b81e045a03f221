import { createBrowserHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { lazyScreen } from '../shared/behavior/lazy-part.tsx';
import { PERIOD_PARAMETERS } from '../shared/traffic/period-parameters.ts';
import { keepParameters, readSearch, writeSearch } from '../shared/behavior/search-params.ts';
import { App } from './layout/app.tsx';
import { ScreenError } from './parts/screen-error.tsx';
import { preloadOperation } from './api/reference.ts';
import { ROOT } from './api/transport/root.ts';

const root = createRootRoute({
  component: App,
  notFoundComponent: lazyScreen(() => import('./parts/not-found.tsx'), 'NotFound'),
  errorComponent: ScreenError,
});

/** The static data of routes that need no session if the portal is public. */
const FOR_EVERYBODY = { isForEverybody: true };

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  staticData: FOR_EVERYBODY,
  component: lazyScreen(() => import('./screens/front/front-screen.tsx'), 'FrontScreen'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: keepParameters('operation'),
  component: lazyScreen(() => import('./screens/sign-in/signed-in.tsx'), 'SignedIn'),
});

const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  staticData: FOR_EVERYBODY,
  validateSearch: keepParameters('plan'),
  component: lazyScreen(() => import('./screens/access/access-screen.tsx'), 'AccessScreen'),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  validateSearch: keepParameters(...PERIOD_PARAMETERS),
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
  validateSearch: keepParameters('do'),
  component: lazyScreen(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: keepParameters(...PERIOD_PARAMETERS, 'key', 'quota'),
  component: lazyScreen(() => import('./screens/usage/usage-screen.tsx'), 'UsageScreen'),
});

const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  validateSearch: keepParameters('id'),
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
  staticData: FOR_EVERYBODY,
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
  validateSearch: keepParameters('status', 'delivery'),
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
  staticData: FOR_EVERYBODY,
  validateSearch: keepParameters('service', 'tag'),
  component: lazyScreen(() => import('./screens/reference/reference-screen.tsx'), 'ReferenceScreen'),
});

const operation = createRoute({
  getParentRoute: () => root,
  path: '/reference/$id',
  staticData: FOR_EVERYBODY,
  validateSearch: keepParameters('at', 'field', 'language'),
  // Load the data of the screen while its code is being loaded.
  loader: ({ params }) => void preloadOperation(params.id),
  component: lazyScreen(() => import('./screens/operation/operation-screen.tsx'), 'OperationScreen'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  staticData: FOR_EVERYBODY,
  component: lazyScreen(() => import('./screens/events/events-screen.tsx'), 'EventsScreen'),
});

const event = createRoute({
  getParentRoute: () => root,
  path: '/events/$type',
  staticData: FOR_EVERYBODY,
  component: lazyScreen(() => import('./screens/events/event-screen.tsx'), 'EventScreen'),
});

const guide = createRoute({
  getParentRoute: () => root,
  path: '/docs/$page',
  staticData: FOR_EVERYBODY,
  component: lazyScreen(() => import('./screens/guides/guide-screen.tsx'), 'GuideScreen'),
});

const teamPage = createRoute({
  getParentRoute: () => root,
  path: '/pages/$name',
  staticData: FOR_EVERYBODY,
  component: lazyScreen(() => import('./screens/guides/team-page-screen.tsx'), 'TeamPageScreen'),
});

const screens = [
  home,
  signIn,
  access,
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
  teamPage,
] as const;

// The gateway serves pages at these URLs, which `src/control-plane/portal/front/page-list.ts` lists.
export const router = createRouter({
  routeTree: root.addChildren(screens),
  history: createBrowserHistory(),
  // The URL may have the path prefix of a reverse proxy.
  basepath: ROOT.pathname,
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly isForEverybody?: boolean;
  }

  interface Register {
    router: typeof router;
  }
}
