import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../shared/styles/tokens.css';
import '../shared/styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme } from '../shared/behavior/theme.ts';
import { readArrival, watchForLinks } from '../shared/behavior/arrival.ts';
import { ArrivalContext } from './session/session-context.ts';
import { queryClient } from '../shared/transport/query-client.ts';
import { router } from './routes.tsx';

applyTheme();
const arrival = readArrival(location.hash);
// A token must remain neither in the URL nor in the browser's history.
if (arrival.token !== null || arrival.failure !== null) history.replaceState(null, '', location.pathname);
watchForLinks();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ArrivalContext value={arrival}>
        <RouterProvider router={router} />
      </ArrivalContext>
    </QueryClientProvider>
  </StrictMode>,
);
