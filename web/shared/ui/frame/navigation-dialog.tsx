import { Dialog, DialogBody } from '../overlays/dialog.tsx';
import type { ComponentType } from 'react';
import styles from './frame.module.css';
import type { NavigationProps, PlaceGroup } from './navigation.ts';

interface Props {
  readonly groups: readonly PlaceGroup[];
  readonly Navigation: ComponentType<NavigationProps>;
  readonly onClose: () => void;
}

/** The navigation for windows without room for the sidebar. */
export function NavigationDialog({ groups, Navigation, onClose }: Props) {
  return (
    <Dialog title="Go to" open onClose={onClose}>
      <DialogBody>
        {/* The focus goes here. In a field, it would open the keyboard of a phone over half of the list. */}
        <nav aria-label="Screens" tabIndex={-1} data-first className={styles.navigation}>
          <Navigation groups={groups} onFollow={onClose} />
        </nav>
      </DialogBody>
    </Dialog>
  );
}
