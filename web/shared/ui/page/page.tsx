import { ListFilter } from 'lucide-react';
import { Children, createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { buttonClass, ButtonContent } from '../controls/button.tsx';
import styles from './page.module.css';

/** What the title of the window ends with. */
export const SiteNameContext = createContext('Tollgate');

/** A screen: its name, the answer to its question, and what can be done. */
export function Page({
  title,
  heading,
  answer,
  above,
  actions,
  children,
}: {
  /** For the title of the window. */
  readonly title: string;
  readonly heading?: ReactNode;
  readonly answer?: ReactNode;
  /** A way back up. */
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const siteName = useContext(SiteNameContext);
  useEffect(() => {
    document.title = `${title} · ${siteName}`;
  }, [title, siteName]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.words}>
          {above !== undefined && <div className={styles.above}>{above}</div>}
          <h1>{heading ?? title}</h1>
          {answer !== undefined && <div className={styles.answer}>{answer}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a screen with a heading of its own. */
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

/** What is above a table: filters at the left, what is done with all of it at the right. Phones show the first filter. */
export function Toolbar({ children, aside }: { readonly children: ReactNode; readonly aside?: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const hasMore = Children.toArray(children).length > 1;
  return (
    <div className={styles.toolbar}>
      <div className={styles.filters} data-open={isOpen || !hasMore}>
        {children}
        {hasMore && (
          <button
            type="button"
            className={buttonClass('plain', styles.more)}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <ButtonContent icon={ListFilter}>Filters</ButtonContent>
          </button>
        )}
      </div>
      {aside !== undefined && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}

/** What is known of a thing; holds a `Fact` for each. */
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
