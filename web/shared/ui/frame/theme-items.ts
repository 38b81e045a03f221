import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { chooseTheme, readTheme, type Theme } from '../../behavior/theme.ts';
import type { MenuItem } from '../overlays/menu.tsx';

const THEMES: readonly { readonly value: Theme; readonly label: string; readonly icon: typeof Sun }[] = [
  { value: 'system', label: 'Theme of the system', icon: Monitor },
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
];

/** Creates the menu items that select the light or the dark theme, or that of the system. */
export function useThemeItems(): readonly MenuItem[] {
  const [theme, setTheme] = useState(readTheme);
  const choose = (value: Theme) => {
    chooseTheme(value);
    setTheme(value);
  };
  return THEMES.map((one) => ({ ...one, chosen: one.value === theme, onSelect: () => choose(one.value) }));
}
