import { Dialog, DialogBody } from '../overlays/dialog.tsx';
import type { PlaceGroup } from './navigation.ts';
import { NavigationLinks } from './navigation-links.tsx';

interface Props {
  readonly groups: readonly PlaceGroup[];
  readonly onClose: () => void;
}

/** The navigation where there is no room for the sidebar. */
export function NavigationDialog({ groups, onClose }: Props) {
  return (
    <Dialog title="Go to" open onClose={onClose}>
      <DialogBody>
        <nav aria-label="Screens">
          <NavigationLinks groups={groups} onFollow={onClose} />
        </nav>
      </DialogBody>
    </Dialog>
  );
}
