import { Link } from '@tanstack/react-router';
import type { TextSection } from '../../markdown/headings.ts';
import styles from './guides.module.css';

/** The longest contents that are shown. A longer page has too many headings for a list beside it. */
const MAX_HEADINGS = 40;

/** Links to the headings of a page, beside its text where there is room. Nothing if there is only one heading. */
export function OnThisPage({ sections }: { readonly sections: readonly Pick<TextSection, 'id' | 'title'>[] }) {
  const headings = sections.filter(({ id }) => id !== '');
  if (headings.length < 2 || headings.length > MAX_HEADINGS) return null;
  return (
    <nav aria-label="On this page" className={styles.contents}>
      <p>On this page</p>
      <ul>
        {headings.map(({ id, title }) => (
          <li key={id}>
            <Link to="." hash={id} replace resetScroll={false} activeOptions={{ includeHash: true }}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
