import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { App } from './layout/app.tsx';
import { NotFound, ScreenError } from './layout/not-found.tsx';
import { readSearch, writeSearch } from './search-params.ts';

const root = createRootRoute({ component: App, notFoundComponent: NotFound, errorComponent: ScreenError });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/keys', replace: true });
  },
});

export const keysRoute = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: only('q', 'owner', 'plan', 'status', 'do'),
  component: lazyRouteComponent(() => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
});

export const keyRoute = createRoute({
  getParentRoute: () => root,
  path: '/keys/$id',
  component: lazyRouteComponent(() => import('./screens/key/key-screen.tsx'), 'KeyScreen'),
});

/** The parts of the address that a screen reads, all of them text. */
function only<Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])),
    ) as { [name in Name]?: string };
}

// What a screen shows stands in the fragment: the address works below any prefix, and no server's log holds it.
export const router = createRouter({
  routeTree: root.addChildren([home, keysRoute, keyRoute]),
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
