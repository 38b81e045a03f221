import { Dialog, DialogBody } from '../../shared/ui/overlays/dialog.tsx';
import { NavigationLinks } from './navigation-links.tsx';

/** The navigation where there is no room for the sidebar. */
export function NavigationDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Go to" open onClose={onClose}>
      <DialogBody>
        <nav aria-label="Screens">
          <NavigationLinks onFollow={onClose} />
        </nav>
      </DialogBody>
    </Dialog>
  );
}
