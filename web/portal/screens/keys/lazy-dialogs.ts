import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';

// The code of the dialogs is loaded when the user makes the first change.
const dialogs = () => import('./key-dialogs.tsx');

export const CreateKeyDialog = lazyPart(async () => (await dialogs()).CreateKeyDialog);
export const AddressesDialog = lazyPart(async () => (await dialogs()).AddressesDialog);
export const RenameDialog = lazyPart(async () => (await dialogs()).RenameDialog);
export const RotateDialog = lazyPart(async () => (await dialogs()).RotateDialog);
export const RevokeDialog = lazyPart(async () => (await dialogs()).RevokeDialog);
export const NewKeyDialog = lazyPart(async () => (await import('./key-secret-dialog.tsx')).NewKeyDialog);
