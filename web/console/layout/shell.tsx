import { useNavigate } from '@tanstack/react-router';
import { Menu, Search } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../shared/ui/controls/button.tsx';
import { lazyPart } from '../../shared/behaviour/lazy-part.tsx';
import { rememberPrefix, useShortcuts } from '../../shared/behaviour/shortcuts.ts';
import { AccountMenu } from './account-menu.tsx';
import { Logo } from '../../shared/ui/page/logo.tsx';
import { PLACES } from './navigation.ts';
import { NavigationLinks } from './navigation-links.tsx';
import styles from './shell.module.css';

const SearchDialog = lazyPart(async () => (await import('./search/search-dialog.tsx')).SearchDialog);
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
const NavigationDialog = lazyPart(async () => (await import('./navigation-dialog.tsx')).NavigationDialog);

type Opened = 'search' | 'shortcuts' | 'navigation' | null;

/** What is around every screen. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>(null);
  const main = useRef<HTMLElement>(null);
  const close = () => setOpened(null);
  useShellShortcuts(setOpened);

  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <aside className={styles.sidebar}>
        <Logo />
        <nav aria-label="Screens">
          <NavigationLinks />
        </nav>
      </aside>
      <div className={styles.column}>
        <header className={styles.topBar}>
          <IconButton
            icon={Menu}
            label="Open the navigation"
            className={styles.menu}
            onClick={() => setOpened('navigation')}
          />
          <button type="button" className={styles.search} onClick={() => setOpened('search')}>
            <Search size={15} aria-hidden />
            <span className={styles.searchWords}>Search keys, owners, plans, operations, request ids</span>
            <span className={styles.searchShort}>Search</span>
            <kbd aria-hidden>/</kbd>
          </button>
          <AccountMenu onShortcuts={() => setOpened('shortcuts')} />
        </header>
        <main ref={main} tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      {opened === 'search' && <SearchDialog onClose={close} />}
      {opened === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      {opened === 'navigation' && <NavigationDialog onClose={close} />}
    </div>
  );
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
      g: () => rememberPrefix('g'),
      ...(Object.fromEntries(places) as Record<string, () => void>),
    };
  }, [navigate, open]);
  useShortcuts(shortcuts);
}
