import { Menu, Search } from 'lucide-react';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { lazyPart } from '../../behavior/lazy-part.tsx';
import { ARIA_SEARCH_KEYS, SEARCH_KEYS } from '../../behavior/shortcuts.ts';
import { IconButton } from '../controls/button.tsx';
import styles from './frame.module.css';
import type { NavigationProps, PlaceGroup } from './navigation.ts';
import { NavigationLinks } from './navigation-links.tsx';

const NavigationDialog = lazyPart(async () => (await import('./navigation-dialog.tsx')).NavigationDialog);

interface Props {
  readonly logo: ReactNode;
  readonly groups: readonly PlaceGroup[];
  /** Replaces the links of `groups` in parts of the site that have a navigation of their own. */
  readonly Navigation?: ComponentType<NavigationProps>;
  /** The text in the search field, which says what the search finds. */
  readonly searchWords: string;
  readonly onSearch: () => void;
  /** The signed-in user, shown at the right end of the top bar. */
  readonly account: ReactNode;
  /** Shown below the screen. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** Renders the frame of every screen: the navigation at the side, and the search and the account at the top. */
export function Frame(props: Props) {
  const { logo, groups, Navigation = NavigationLinks, searchWords, onSearch, account, footer, children } = props;
  const [navigating, setNavigating] = useState(false);
  const main = useRef<HTMLElement>(null);
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <aside className={styles.sidebar}>
        {logo}
        <nav aria-label="Screens">
          <Navigation groups={groups} onFollow={() => main.current?.focus({ preventScroll: true })} />
        </nav>
      </aside>
      <div className={styles.column}>
        <header className={styles.topBar}>
          <IconButton
            icon={Menu}
            label="Open the navigation"
            className={styles.menu}
            onClick={() => setNavigating(true)}
          />
          <span className={styles.barLogo}>{logo}</span>
          <button type="button" className={styles.search} aria-keyshortcuts={ARIA_SEARCH_KEYS} onClick={onSearch}>
            <Search size={15} aria-hidden />
            <span className={styles.searchWords}>{searchWords}</span>
            <span className={styles.searchShort}>Search</span>
            <kbd aria-hidden>{SEARCH_KEYS}</kbd>
          </button>
          {account}
        </header>
        <main ref={main} tabIndex={-1} className={styles.main}>
          {children}
        </main>
        {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
      </div>
      {navigating && <NavigationDialog groups={groups} Navigation={Navigation} onClose={() => setNavigating(false)} />}
    </div>
  );
}
