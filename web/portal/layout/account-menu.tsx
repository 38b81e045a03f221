import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUser, KeyRound, LogOut, UserRound } from 'lucide-react';
import { SESSION_KEY } from '../../shared/transport/query-client.ts';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import styles from '../../shared/ui/frame/account-button.module.css';
import { useThemeItems } from '../../shared/ui/frame/theme-items.ts';
import { Menu } from '../../shared/ui/overlays/menu.tsx';
import { toast } from '../../shared/ui/overlays/toast.tsx';
import { signOut } from '../api/session.ts';
import { useSession } from '../session/session-context.ts';

/** Who is signed in, how it looks, and the way out. */
export function AccountMenu() {
  const { name, account } = useSession();
  const navigate = useNavigate();
  const themes = useThemeItems();
  const leave = useSignOut();
  const own = [
    ...(account === null
      ? []
      : [{ label: 'Your account', icon: UserRound, onSelect: () => void navigate({ to: '/account' }) }]),
    { label: 'Sign out', icon: LogOut, onSelect: leave },
  ];
  const Icon = account === null ? KeyRound : CircleUser;
  return (
    <Menu className={buttonClass('quiet', styles.trigger)} groups={[themes, own]}>
      <Icon size={16} aria-hidden />
      <bdi className={styles.who}>{name}</bdi>
      {account === null && <span className={styles.role}>key</span>}
    </Menu>
  );
}

function useSignOut(): () => void {
  const queries = useQueryClient();
  return () => {
    signOut().then(
      () => {
        // What was read in the session goes with it.
        queries.clear();
        queries.setQueryData(SESSION_KEY, null);
        location.reload();
      },
      (error: Error) => toast({ tone: 'failed', message: `Could not sign you out. ${error.message}` }),
    );
  };
}
