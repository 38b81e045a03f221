import { useNavigate } from '@tanstack/react-router';
import { CircleUser, KeyRound, LogOut, UserRound } from 'lucide-react';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import styles from '../../shared/ui/frame/account-button.module.css';
import { useSignOut } from '../../shared/ui/frame/sign-out.ts';
import { useThemeItems } from '../../shared/ui/frame/theme-items.ts';
import { Menu } from '../../shared/ui/overlays/menu.tsx';
import { signOut } from '../api/session.ts';
import { useSession } from '../session/session-context.ts';

/** A menu with the signed-in user, the light or dark theme, and signing out. */
export function AccountMenu() {
  const { name, account } = useSession();
  const navigate = useNavigate();
  const themes = useThemeItems();
  const leave = useSignOut(signOut);
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
