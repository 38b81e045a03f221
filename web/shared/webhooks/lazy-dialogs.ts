import { lazyPart } from '../behavior/lazy-part.tsx';

// Loaded once somebody opens one.
export const DeliveryDialog = lazyPart(async () => (await import('./delivery-dialog.tsx')).DeliveryDialog);
export const NewSecretDialog = lazyPart(async () => (await import('./new-secret-dialog.tsx')).NewSecretDialog);
