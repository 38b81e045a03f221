import { Menu as Base } from '@base-ui/react/menu';
import { Check, type LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import styles from './menu.module.css';

export interface MenuItem {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly danger?: boolean;
  /** Of several, the one that holds. */
  readonly chosen?: boolean;
  readonly onSelect: () => void;
}

export interface MenuProps {
  /** Groups, with a line between them. */
  readonly groups: readonly (readonly MenuItem[])[];
  readonly label?: string;
  readonly className: string;
  readonly children: ReactNode;
}

export default function OpenMenu({ label, className, children, groups }: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger aria-label={label} className={className}>
        {children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {groups.map((items, index) => (
              <Fragment key={items[0]?.label}>
                {index > 0 && <Base.Separator className={styles.separator} />}
                {items.map((item) => (
                  <Item key={item.label} item={item} />
                ))}
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ item: { label, icon: Icon, danger, chosen, onSelect } }: { readonly item: MenuItem }) {
  return (
    <Base.Item className={styles.item} data-danger={danger === true} onClick={onSelect}>
      <Icon size={15} aria-hidden />
      {label}
      {chosen === true && <Check size={14} aria-label="chosen" className={styles.chosen} />}
    </Base.Item>
  );
}
