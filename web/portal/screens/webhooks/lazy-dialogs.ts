import { lazyPart } from '../../../shared/behavior/lazy-part.tsx';

// The code of the dialogs is loaded when the user makes the first change.
const dialogs = () => import('./webhook-dialogs.tsx');

export const CreateWebhookDialog = lazyPart(async () => (await dialogs()).CreateWebhookDialog);
export const ChangeWebhookDialog = lazyPart(async () => (await dialogs()).ChangeWebhookDialog);
export const RotateSecretDialog = lazyPart(async () => (await dialogs()).RotateSecretDialog);
export const StatusDialog = lazyPart(async () => (await dialogs()).StatusDialog);
export const DeleteWebhookDialog = lazyPart(async () => (await dialogs()).DeleteWebhookDialog);
