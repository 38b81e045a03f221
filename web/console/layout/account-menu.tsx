import { useQueryClient } from '@tanstack/react-query';
import { CircleUser, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import { Menu } from '../../shared/ui/overlays/menu.tsx';
import { chooseTheme, chosenTheme, type Theme } from '../../shared/behaviour/theme.ts';
import { toast } from '../../shared/ui/overlays/toast.tsx';
import { SESSION_KEY, signOut } from '../api/session.ts';
import { useSession } from '../session/session-context.ts';
import styles from './account-menu.module.css';

const THEMES: readonly { readonly value: Theme; readonly label: string; readonly icon: typeof Sun }[] = [
  { value: 'system', label: 'Light or dark as the system', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
];

/** Who is signed in, how it looks, and the way out. */
export function AccountMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const { name, role } = useSession();
  const [theme, setTheme] = useState(chosenTheme);
  const leave = useSignOut();
  const choose = (value: Theme) => {
    chooseTheme(value);
    setTheme(value);
  };
  const themes = THEMES.map((one) => ({ ...one, chosen: one.value === theme, onSelect: () => choose(one.value) }));
  const others = [
    { label: 'Keyboard shortcuts', icon: Keyboard, onSelect: onShortcuts },
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
      (error: Error) => toast({ tone: 'failed', message: `You are still signed in. ${error.message}` }),
    );
  };
}
