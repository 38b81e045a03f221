import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import { Page } from '../../shared/ui/page/page.tsx';
import { Empty } from '../../shared/ui/page/states.tsx';
import { ContactLink } from './contact-link.tsx';

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        icon={Compass}
        title="This page does not exist"
        action={
          <Link to="/" className={buttonClass('plain')}>
            Go to the start
          </Link>
        }
      >
        It may have moved, or the link may be incomplete. <ContactLink>Contact the team</ContactLink>
      </Empty>
    </Page>
  );
}
