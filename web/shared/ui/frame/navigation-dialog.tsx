import { Dialog, DialogBody } from '../overlays/dialog.tsx';
import type { ComponentType } from 'react';
import type { NavigationProps, PlaceGroup } from './navigation.ts';

interface Props {
  readonly groups: readonly PlaceGroup[];
  readonly Navigation: ComponentType<NavigationProps>;
  readonly onClose: () => void;
}

/** The navigation where there is no room for the sidebar. */
export function NavigationDialog({ groups, Navigation, onClose }: Props) {
  return (
    <Dialog title="Go to" open onClose={onClose}>
      <DialogBody>
        <nav aria-label="Screens">
          <Navigation groups={groups} onFollow={onClose} />
        </nav>
      </DialogBody>
    </Dialog>
  );
}
