import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';

// Loaded on the first change.
const dialogs = () => import('./webhook-dialogs.tsx');
const forms = () => import('./webhook-form-dialogs.tsx');

export const CreateWebhookDialog = lazyPart(async () => (await forms()).CreateWebhookDialog);
export const ChangeWebhookDialog = lazyPart(async () => (await forms()).ChangeWebhookDialog);
export const RotateSecretDialog = lazyPart(async () => (await dialogs()).RotateSecretDialog);
export const StatusDialog = lazyPart(async () => (await dialogs()).StatusDialog);
export const DeleteWebhookDialog = lazyPart(async () => (await dialogs()).DeleteWebhookDialog);
export const NewSecretDialog = lazyPart(async () => (await import('./new-secret-dialog.tsx')).NewSecretDialog);
export const DeliveryDialog = lazyPart(
  async () => (await import('../../../shared/webhooks/delivery-dialog.tsx')).DeliveryDialog,
);
