import { Dialog, DialogBody } from '../overlays/dialog.tsx';
import type { ComponentType } from 'react';
import styles from './frame.module.css';
import type { NavigationProps, PlaceGroup } from './navigation.ts';

interface Props {
  readonly groups: readonly PlaceGroup[];
  readonly Navigation: ComponentType<NavigationProps>;
  readonly onClose: () => void;
}

/** Shows the navigation in a dialog if the window has no room for the sidebar. */
export function NavigationDialog({ groups, Navigation, onClose }: Props) {
  return (
    <Dialog title="Go to" open onClose={onClose}>
      <DialogBody>
        {/* The focus goes here, because a field with the focus would open the keyboard of a phone over the list. */}
        <nav aria-label="Screens" tabIndex={-1} data-first className={styles.navigation}>
          <Navigation groups={groups} onFollow={onClose} />
        </nav>
      </DialogBody>
    </Dialog>
  );
}
