import { Link } from '@tanstack/react-router';
import type { TextSection } from '../../markdown/headings.ts';
import styles from './guides.module.css';

/** The maximum number of headings. A page with more gets no table of contents, because the list would be too long. */
const MAX_HEADINGS = 40;

/** A table of contents, beside the text if there is room. Renders nothing if the page has only one heading. */
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
