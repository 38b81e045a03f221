import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { lazyPart, useLoadedParts } from '../../shared/behavior/lazy-part.tsx';
import { useShortcuts } from '../../shared/behavior/shortcuts.ts';
import { useTypedAhead } from '../../shared/behavior/typed-ahead.ts';
import { LicensesLink } from '../../shared/ui/page/licenses-link.tsx';
import { Frame } from '../../shared/ui/frame/frame.tsx';
import { SiteLogo } from '../parts/site-logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { PLACES } from './navigation.ts';

const SearchDialog = lazyPart(async () => (await import('./search-dialog.tsx')).SearchDialog);

const ReferenceNavigation = lazyPart(async () => (await import('./reference-navigation.tsx')).ReferenceNavigation);

/** What is around every screen of the portal. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [searching, setSearching] = useState(false);
  const shortcuts = useMemo(() => ({ '/': () => setSearching(true) }), []);
  useShortcuts(shortcuts);
  useLoadedParts();
  const inReference = useRouterState({ select: ({ location }) => /^\/reference(?:\/|$)/.test(location.pathname) });
  const typedAhead = useTypedAhead(searching);
  return (
    <>
      <Frame
        logo={<SiteLogo />}
        groups={PLACES}
        {...(inReference ? { Navigation: ReferenceNavigation } : {})}
        searchWords="Search operations, fields, errors and guides"
        onSearch={() => setSearching(true)}
        account={<AccountMenu />}
        footer={<LicensesLink />}
      >
        {children}
      </Frame>
      {searching && <SearchDialog typedAhead={typedAhead} onClose={() => setSearching(false)} />}
    </>
  );
}
