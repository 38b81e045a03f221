import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { lazyPart, useLoadedParts } from '../../shared/behavior/lazy-part.tsx';
import { rememberPrefix, useSearchKey, useShortcuts } from '../../shared/behavior/shortcuts.ts';
import { useTypedAhead } from '../../shared/behavior/typed-ahead.ts';
import { Frame } from '../../shared/ui/frame/frame.tsx';
import type { PlaceGroup } from '../../shared/ui/frame/navigation.ts';
import { undoLast } from '../../shared/ui/overlays/toast.tsx';
import { Logo } from '../../shared/ui/page/logo.tsx';
import { type Attention, useAttention } from '../api/events/attention.ts';
import { AccountMenu } from './account-menu.tsx';
import { PLACES } from './navigation.ts';
import { StaleNotice } from './stale-notice.tsx';

const SearchDialog = lazyPart(async () => (await import('./search-dialog.tsx')).SearchDialog);
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

type Opened = 'search' | 'shortcuts' | null;

/** The frame around every screen of the console. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const groups = withCounts(useAttention());
  const search = useCallback(() => setOpened('search'), []);
  useShellShortcuts(setOpened);
  useSearchKey(search);
  useLoadedParts();
  const typedAhead = useTypedAhead(opened === 'search');
  return (
    <>
      <Frame
        logo={<Logo />}
        groups={groups}
        searchWords="Search, or type a command"
        onSearch={search}
        account={<AccountMenu onShortcuts={() => setOpened('shortcuts')} />}
      >
        <StaleNotice />
        {children}
      </Frame>
      {opened === 'search' && (
        <SearchDialog typedAhead={typedAhead} onClose={close} onShortcuts={() => setOpened('shortcuts')} />
      )}
      {opened === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </>
  );
}

function withCounts({
  bans,
  planRequests,
  accountRequests,
  failingWebhooks,
  disabledWebhooks,
}: Attention): readonly PlaceGroup[] {
  const counts: Readonly<Record<string, number>> = {
    '/bans': bans,
    '/portal': planRequests + accountRequests,
    '/webhooks': failingWebhooks + disabledWebhooks,
  };
  return PLACES.map(({ group, places }) => ({
    group,
    places: places.map((place) => ({ ...place, count: counts[place.to] ?? 0 })),
  }));
}

function useShellShortcuts(open: (what: Opened) => void): void {
  const navigate = useNavigate();
  const shortcuts = useMemo(() => {
    const places = PLACES.flatMap(({ places }) => places).map(({ key, to }) => [
      `g ${key}`,
      () => void navigate({ to }),
    ]);
    return {
      '/': () => open('search'),
      '?': () => open('shortcuts'),
      z: undoLast,
      g: () => rememberPrefix('g'),
      ...(Object.fromEntries(places) as Record<string, () => void>),
    };
  }, [navigate, open]);
  useShortcuts(shortcuts);
}
