import { lazyPart } from '../behavior/lazy-part.tsx';

// The code of a dialog is loaded when it is first opened.
export const DeliveryDialog = lazyPart(async () => (await import('./delivery-dialog.tsx')).DeliveryDialog);
export const NewSecretDialog = lazyPart(async () => (await import('./new-secret-dialog.tsx')).NewSecretDialog);
