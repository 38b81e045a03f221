import type { ButtonHTMLAttributes, ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';
import styles from './button.module.css';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly icon?: LucideIcon;
  readonly children?: ReactNode;
  readonly 'data-first'?: boolean | undefined;
}

export function Button({ kind = 'plain', icon, type = 'button', className, children, ...rest }: Props) {
  return (
    <button type={type} className={buttonClass(kind, className)} {...rest}>
      <ButtonContent icon={icon}>{children}</ButtonContent>
    </button>
  );
}

/** The classes of a button, for a link or for a component of Base UI that renders the element itself. */
export function buttonClass(kind: ButtonKind, more?: string): string {
  return [styles.button, styles[kind], more].filter(Boolean).join(' ');
}

export function ButtonContent({ icon: Icon, children }: { readonly icon?: LucideIcon; readonly children?: ReactNode }) {
  return (
    <>
      {Icon !== undefined && <Icon size={15} aria-hidden />}
      {children}
    </>
  );
}

/** A button that consists of an icon. Screen readers read its `label`. */
export function IconButton({
  icon: Icon,
  label,
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly icon: LucideIcon; readonly label: string }) {
  return (
    <button type="button" aria-label={label} title={label} className={iconButtonClass(className)} {...rest}>
      <Icon size={16} aria-hidden />
    </button>
  );
}

export function iconButtonClass(more?: string): string {
  return [styles.icon, more].filter(Boolean).join(' ');
}
