import { endSession, type SessionRow } from '../api/sessions.ts';
import { ActionDialog } from './dialog/action-dialog.tsx';

export function EndSessionDialog({ session, onClose }: { readonly session: SessionRow; readonly onClose: () => void }) {
  const action = {
    title: `End the session of ${session.name}`,
    submit: 'End the session',
    danger: true,
    effect: (
      <p>
        {session.current ? 'This is your own session: you will be signed out.' : 'They will be signed out immediately.'}{' '}
        They can sign in again. To keep someone out, revoke their token or role.
      </p>
    ),
    change: ({ id }: SessionRow, reason: string) => endSession(id, reason),
    done: 'Session ended',
  };
  return <ActionDialog action={action} subjects={[session]} nameOf={({ name }) => name} onClose={onClose} />;
}
