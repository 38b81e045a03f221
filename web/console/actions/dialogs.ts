import { lazyPart } from '../../shared/ui/lazy-part.tsx';

// Loaded once somebody wants to change something: the first screen does without them.
const keyDialogs = () => import('./key-dialogs.tsx');

export const BanDialog = lazyPart(async () => (await keyDialogs()).BanDialog);
export const LiftDialog = lazyPart(async () => (await keyDialogs()).LiftDialog);
export const DisableDialog = lazyPart(async () => (await keyDialogs()).DisableDialog);
export const EnableDialog = lazyPart(async () => (await keyDialogs()).EnableDialog);
export const RevokeDialog = lazyPart(async () => (await keyDialogs()).RevokeDialog);
export const ResetDialog = lazyPart(async () => (await keyDialogs()).ResetDialog);
export const MovePlanDialog = lazyPart(async () => (await import('./plan-dialog.tsx')).MovePlanDialog);
export const RotateDialog = lazyPart(async () => (await import('./rotate-dialog.tsx')).RotateDialog);
export const CreateKeyDialog = lazyPart(async () => (await import('./create-key-dialog.tsx')).CreateKeyDialog);
export const SecretDialog = lazyPart(async () => (await import('./secret-dialog.tsx')).SecretDialog);

const planDialogs = () => import('./plan-form-dialogs.tsx');

export const EditPlanDialog = lazyPart(async () => (await planDialogs()).EditPlanDialog);
export const CreatePlanDialog = lazyPart(async () => (await planDialogs()).CreatePlanDialog);
export const DeletePlanDialog = lazyPart(async () => (await planDialogs()).DeletePlanDialog);
export const EndSessionDialog = lazyPart(async () => (await import('./end-session-dialog.tsx')).EndSessionDialog);
