import { Link, type LinkProps } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import { Empty } from '../../shared/ui/page/states.tsx';

interface Props {
  /** The kind of the missing thing, such as "event type". */
  readonly what: string;
  /** The page to which the user can go instead. */
  readonly to: NonNullable<LinkProps['to']>;
  readonly link: string;
  /** Says why the thing may be missing. */
  readonly children: ReactNode;
}

/** Says that nothing exists at the URL. */
export function Missing({ what, to, link, children }: Props) {
  return (
    <Empty
      icon={Compass}
      title={`This ${what} does not exist`}
      action={
        <Link to={to} className={buttonClass('plain')}>
          {link}
        </Link>
      }
    >
      {children}
    </Empty>
  );
}
