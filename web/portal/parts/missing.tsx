import { Link, type LinkProps } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import { Empty } from '../../shared/ui/page/states.tsx';

interface Props {
  /** Such as "event type". */
  readonly what: string;
  /** Where to go instead. */
  readonly to: NonNullable<LinkProps['to']>;
  readonly link: string;
  /** Why it may be missing. */
  readonly children: ReactNode;
}

/** There is nothing at the address. */
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
