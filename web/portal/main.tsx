import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../shared/styles/tokens.css';
import '../shared/styles/base.css';
import './portal.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readArrival, watchForLinks } from '../shared/behavior/arrival.ts';
import { applyTheme } from '../shared/behavior/theme.ts';
import { queryClient } from '../shared/transport/query-client.ts';
import { readVisitor } from './api/session.ts';
import { fileAddress } from './api/transport/root.ts';
import { router } from './routes.tsx';
import { Arrived } from './session/arrived.tsx';

applyTheme();
// Request the data and fonts that every page needs before anything is rendered.
void readVisitor();
document.fonts.load('1em Inter Variable, JetBrains Mono Variable').catch(() => undefined);
const arrival = readArrival(location.hash);
// Old URLs had the page in the fragment, so move it into the path.
if (location.hash.startsWith('#/')) history.replaceState(null, '', fileAddress(location.hash.slice(2)));
// A sign-in token must remain neither in the URL nor in the browser's history.
if (arrival.token !== null || arrival.failure !== null) history.replaceState(null, '', location.pathname);
watchForLinks();
// Start in a separate task, because running all modules has already blocked the page for a while.
setTimeout(start);

function start(): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no #root');
  // Request the code of the screen before React begins to render.
  void router.load();
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Arrived with={arrival}>
          <RouterProvider router={router} />
        </Arrived>
      </QueryClientProvider>
    </StrictMode>,
  );
}
