import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { lazyPart, useLoadedParts } from '../../shared/behavior/lazy-part.tsx';
import { useSearchKey, useShortcuts } from '../../shared/behavior/shortcuts.ts';
import { useTypedAhead } from '../../shared/behavior/typed-ahead.ts';
import { LicensesLink } from '../../shared/ui/page/licenses-link.tsx';
import { Frame } from '../../shared/ui/frame/frame.tsx';
import { SiteLogo } from '../parts/site-logo.tsx';
import { fileAddress } from '../api/transport/root.ts';
import { ContactLink } from '../parts/contact-link.tsx';
import { useVisitor } from '../session/session-context.ts';
import { usePlaces } from './use-places.ts';
import { VisitorLinks } from './visitor-links.tsx';

const AccountMenu = lazyPart(async () => (await import('./account-menu.tsx')).AccountMenu);
const SearchDialog = lazyPart(async () => (await import('./search-dialog.tsx')).SearchDialog);

const ReferenceNavigation = lazyPart(async () => (await import('./reference-navigation.tsx')).ReferenceNavigation);

/** The frame around every screen of the portal. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [searching, setSearching] = useState(false);
  const search = useCallback(() => setSearching(true), []);
  useShortcuts(useMemo(() => ({ '/': search }), [search]));
  useSearchKey(search);
  const session = useVisitor();
  const places = usePlaces();
  // Load the other screens only in a session, because a visitor may read one page and leave.
  useLoadedParts(session !== null);
  const inReference = useRouterState({ select: ({ location }) => /^\/reference(?:\/|$)/.test(location.pathname) });
  const typedAhead = useTypedAhead(searching);
  return (
    <>
      <Frame
        logo={<SiteLogo />}
        groups={places}
        {...(inReference ? { Navigation: ReferenceNavigation } : {})}
        searchWords="Search operations, fields, errors and guides"
        onSearch={search}
        account={session === null ? <VisitorLinks /> : <AccountMenu />}
        footer={<Footer />}
      >
        {children}
      </Frame>
      {searching && <SearchDialog typedAhead={typedAhead} onClose={() => setSearching(false)} />}
    </>
  );
}

/** Links to the team's contact and to the licenses, on every page. */
function Footer() {
  return (
    <>
      <ContactLink>Contact</ContactLink>
      <LicensesLink href={fileAddress('licenses.txt')} />
    </>
  );
}
