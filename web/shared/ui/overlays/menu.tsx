import { Check, type LucideIcon, MoreHorizontal } from 'lucide-react';
import { type FocusEvent, Fragment, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { iconButtonClass } from '../controls/button.tsx';
import styles from './menu.module.css';

export interface MenuItem {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly danger?: boolean;
  /** True if the item is the selected one of its group. */
  readonly chosen?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  /** The items in groups, which are separated by lines. */
  readonly groups: readonly (readonly MenuItem[])[];
  readonly label?: string;
  readonly className: string;
  readonly children: ReactNode;
}

/**
 * A button with a menu, after ARIA's menu button pattern: arrow keys, Home and End move through the menu, and Escape
 * returns to the button. In the document, the menu follows its button, so that both belong to the same landmark and Tab
 * needs no focus guards.
 */
export function Menu({ label, className, children, groups }: MenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  // Focus the button first. The action may open a dialog, which later returns the focus to the focused element, and the
  // menu item no longer exists by then.
  const close = () => {
    button.current?.focus();
    setOpen(false);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && !open) setOpen(true);
    else if (event.key === 'Escape' && open) close();
    else return;
    event.preventDefault();
  };
  return (
    <div role="presentation" className={styles.box} onBlur={onBlur} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        id={`${id}-button`}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={className}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && <Items id={id} groups={groups} onClose={close} />}
    </div>
  );
}

interface ItemsProps extends Pick<MenuProps, 'groups'> {
  readonly id: string;
  readonly onClose: () => void;
}

function Items({ id, groups, onClose }: ItemsProps) {
  return (
    <div
      ref={show}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-labelledby={`${id}-button`}
      className={styles.popup}
      onKeyDown={moveFocus}
    >
      {groups.map((items, index) => (
        <Fragment key={items[0]?.label}>
          {index > 0 && <hr className={styles.separator} />}
          {items.map(({ label, icon: Icon, danger, chosen, onSelect }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles.item}
              data-danger={danger === true}
              onClick={() => {
                onClose();
                onSelect();
              }}
              onMouseEnter={({ currentTarget }) => currentTarget.focus()}
            >
              <Icon size={15} aria-hidden />
              {label}
              {chosen === true && <Check size={14} aria-label="chosen" className={styles.chosen} />}
            </button>
          ))}
        </Fragment>
      ))}
    </div>
  );
}

/**
 * Shows the menu below its button, aligned with the end of the button. Without room to the left, it is aligned with the
 * start; without room below, it opens upward.
 */
function show(menu: HTMLDivElement | null): void {
  if (menu === null) return;
  const { left, bottom } = menu.getBoundingClientRect();
  menu.dataset['align'] = left < 0 ? 'start' : 'end';
  menu.dataset['side'] = bottom > document.documentElement.clientHeight ? 'top' : 'bottom';
  findItems(menu)[0]?.focus();
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const items = findItems(event.currentTarget);
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: (at + 1) % items.length, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next)?.focus();
}

function findItems(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

/** A button with three dots that opens a menu of actions. */
export function MoreMenu({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  return (
    <Menu label={label} className={iconButtonClass()} groups={[items]}>
      <MoreHorizontal size={16} aria-hidden />
    </Menu>
  );
}
