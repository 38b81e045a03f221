import { MoreHorizontal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { iconButtonClass } from '../controls/button.tsx';
import type { MenuItem, MenuProps } from './open-menu.tsx';

const OpenMenu = lazy(() => import('./open-menu.tsx'));

/** A button with a menu, which is loaded when it is first opened. */
export function Menu({ label, className, children, groups }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <button type="button" aria-label={label} aria-haspopup="menu" className={className} onClick={() => setWanted(true)}>
      {children}
    </button>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <OpenMenu label={label} className={className} groups={groups}>
        {children}
      </OpenMenu>
    </Suspense>
  );
}

/** What can be done with a thing, behind three dots. */
export function MoreMenu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  return (
    <Menu label={label} className={iconButtonClass()} groups={[items]}>
      <MoreHorizontal size={16} aria-hidden />
    </Menu>
  );
}
