import { ChevronDown } from 'lucide-react';
import { NavigationLinks } from '../../shared/ui/frame/navigation-links.tsx';
import type { PlaceGroup } from '../../shared/ui/frame/navigation.ts';
import { ReferenceTree } from '../screens/reference/reference-tree.tsx';
import styles from './reference-navigation.module.css';

interface Props {
  readonly groups: readonly PlaceGroup[];
  readonly onFollow: () => void;
}

/** The navigation on pages of the reference: all operations, with the links to other pages collapsed above them. */
export function ReferenceNavigation({ groups, onFollow }: Props) {
  return (
    <>
      <details className={styles.pages}>
        <summary>
          All pages
          <ChevronDown size={14} aria-hidden />
        </summary>
        <NavigationLinks groups={groups} onFollow={onFollow} />
      </details>
      <ReferenceTree onFollow={onFollow} />
    </>
  );
}
