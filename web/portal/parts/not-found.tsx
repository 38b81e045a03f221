import { Page } from '../../shared/ui/page/page.tsx';
import { ContactLink } from './contact-link.tsx';
import { Missing } from './missing.tsx';

export function NotFound() {
  return (
    <Page title="Not found">
      <Missing what="page" to="/" link="Go to the start">
        It may have moved, or the link may be incomplete. <ContactLink>Contact the team</ContactLink>
      </Missing>
    </Page>
  );
}
