import { createContext, type ReactNode, useContext, useEffect } from 'react';
import styles from './page.module.css';

/** The name of the site, with which the window title ends. */
export const SiteNameContext = createContext('Tollgate');

/** True once the first screen was shown. */
let wasScreenShown = false;

/**
 * Moves the focus to the content if the followed link disappeared with the previous screen, so that Tab continues
 * there.
 */
function useFocusOfGone(): void {
  useEffect(() => {
    if (wasScreenShown && document.activeElement === document.body)
      document.querySelector('main')?.focus({ preventScroll: true });
    wasScreenShown = true;
  }, []);
}

/** The page of a screen: its title, a summary that answers the screen's main question, and the possible actions. */
export function Page({
  title,
  heading,
  summary,
  above,
  actions,
  children,
}: {
  /** The title of the window, and the heading unless `heading` is set. */
  readonly title: string;
  readonly heading?: ReactNode;
  readonly summary?: ReactNode;
  /** A link to the parent screen. */
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const siteName = useContext(SiteNameContext);
  useFocusOfGone();
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
  }, [title, siteName]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.words}>
          {above !== undefined && <div className={styles.above}>{above}</div>}
          <h1>{heading ?? title}</h1>
          {summary !== undefined && <div className={styles.answer}>{summary}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a screen with its own heading. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A list of facts. Its children are `Fact`s. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

/** @param isWide for a long value, such as a URL */
export function Fact({
  name,
  isWide = false,
  children,
}: {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={isWide ? styles.wideFact : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
