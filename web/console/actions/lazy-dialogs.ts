import { lazyPart } from '../../shared/behavior/lazy-part.tsx';

// Loaded when the user opens the first dialog, because the first screen does not need them.
const keyDialogs = () => import('./keys/key-dialogs.tsx');

export const BanDialog = lazyPart(async () => (await keyDialogs()).BanDialog);
export const LiftDialog = lazyPart(async () => (await keyDialogs()).LiftDialog);
export const DisableDialog = lazyPart(async () => (await keyDialogs()).DisableDialog);
export const EnableDialog = lazyPart(async () => (await keyDialogs()).EnableDialog);
export const RevokeDialog = lazyPart(async () => (await keyDialogs()).RevokeDialog);
export const ResetDialog = lazyPart(async () => (await keyDialogs()).ResetDialog);
export const ForgetDialog = lazyPart(async () => (await import('./keys/forget-dialog.tsx')).ForgetDialog);
export const BulkDialog = lazyPart(async () => (await import('./keys/bulk-dialog.tsx')).BulkDialog);
export const EditKeyDialog = lazyPart(async () => (await import('./keys/edit-key-dialog.tsx')).EditKeyDialog);
export const RestrictDialog = lazyPart(async () => (await import('./keys/restrict-dialog.tsx')).RestrictDialog);
export const ExemptDialog = lazyPart(async () => (await import('./keys/exempt-dialog.tsx')).ExemptDialog);
export const MovePlanDialog = lazyPart(async () => (await import('./keys/move-plan-dialog.tsx')).MovePlanDialog);
export const RotateDialog = lazyPart(async () => (await import('./keys/rotate-dialog.tsx')).RotateDialog);
export const CreateKeyDialog = lazyPart(async () => (await import('./keys/create-key-dialog.tsx')).CreateKeyDialog);
export const NewKeyDialog = lazyPart(async () => (await import('./keys/key-secret-dialog.tsx')).NewKeyDialog);

const planDialogs = () => import('./plans/plan-form-dialogs.tsx');

export const EditPlanDialog = lazyPart(async () => (await planDialogs()).EditPlanDialog);
export const CreatePlanDialog = lazyPart(async () => (await planDialogs()).CreatePlanDialog);
export const DeletePlanDialog = lazyPart(async () => (await planDialogs()).DeletePlanDialog);
export const EndSessionDialog = lazyPart(async () => (await import('./end-session-dialog.tsx')).EndSessionDialog);
export const ReloadDialog = lazyPart(async () => (await import('./reload-dialog.tsx')).ReloadDialog);

const webhookDialogs = () => import('./webhooks/webhook-dialogs.tsx');

export const CreateWebhookDialog = lazyPart(async () => (await webhookDialogs()).CreateWebhookDialog);
export const ChangeWebhookDialog = lazyPart(async () => (await webhookDialogs()).ChangeWebhookDialog);
export const WebhookStatusDialog = lazyPart(async () => (await webhookDialogs()).WebhookStatusDialog);
export const RotateSecretDialog = lazyPart(async () => (await webhookDialogs()).RotateSecretDialog);
export const DeleteWebhookDialog = lazyPart(async () => (await webhookDialogs()).DeleteWebhookDialog);

const accountDialogs = () => import('./portal/account-dialogs.tsx');
const linkDialogs = () => import('./portal/link-dialog.tsx');

export const CreateAccountDialog = lazyPart(async () => (await accountDialogs()).CreateAccountDialog);
export const EditAccountDialog = lazyPart(async () => (await accountDialogs()).EditAccountDialog);
export const AccountStatusDialog = lazyPart(async () => (await accountDialogs()).AccountStatusDialog);
export const DeleteAccountDialog = lazyPart(
  async () => (await import('./portal/delete-account-dialog.tsx')).DeleteAccountDialog,
);
export const SignInLinkDialog = lazyPart(async () => (await linkDialogs()).SignInLinkDialog);
export const ShowLinkDialog = lazyPart(async () => (await linkDialogs()).ShowLinkDialog);
const accountRequestDialogs = () => import('./portal/account-request-dialogs.tsx');

export const ApproveAccountDialog = lazyPart(async () => (await accountRequestDialogs()).ApproveAccountDialog);
export const DeclineAccountDialog = lazyPart(async () => (await accountRequestDialogs()).DeclineAccountDialog);
export const DecideDialog = lazyPart(async () => (await import('./portal/decide-dialog.tsx')).DecideDialog);
