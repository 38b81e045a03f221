import { CircleUser, Keyboard, LogOut } from 'lucide-react';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import { Menu } from '../../shared/ui/overlays/menu.tsx';
import { useSignOut } from '../../shared/ui/frame/sign-out.ts';
import { useThemeItems } from '../../shared/ui/frame/theme-items.ts';
import { signOut } from '../api/session.ts';
import { useSession } from '../session/session-context.ts';
import styles from '../../shared/ui/frame/account-button.module.css';

/** A menu for the signed-in user, with the appearance and signing out. */
export function AccountMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const { name, role } = useSession();
  const themes = useThemeItems();
  const leave = useSignOut(signOut);
  const others = [
    { label: 'Keyboard shortcuts (?)', icon: Keyboard, onSelect: onShortcuts },
    { label: 'Sign out', icon: LogOut, onSelect: leave },
  ];
  return (
    <Menu className={buttonClass('quiet', styles.trigger)} groups={[themes, others]}>
      <CircleUser size={16} aria-hidden />
      <bdi className={styles.who}>{name}</bdi>
      {role === 'viewer' && <span className={styles.role}>viewer</span>}
    </Menu>
  );
}
