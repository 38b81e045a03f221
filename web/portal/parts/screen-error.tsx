import type { ErrorComponentProps } from '@tanstack/react-router';
import { loadParts, PartNotLoaded } from '../../shared/behavior/lazy-part.tsx';
import { Page } from '../../shared/ui/page/page.tsx';
import { Failure } from '../../shared/ui/page/states.tsx';
import { ContactLink } from './contact-link.tsx';

/** Shown if a part of the portal cannot be loaded, or if the portal has a defect. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  if (error instanceof PartNotLoaded) {
    return (
      <Page title="Not loaded">
        <Failure title="This page could not be loaded" onRetry={() => void loadParts().then(reset)}>
          <p>The portal did not respond. Nothing was changed. Try again in a moment.</p>
          <p>If the portal was updated while this page was open, reload the page.</p>
        </Failure>
      </Page>
    );
  }
  return (
    <Failure title="This page could not be shown" onRetry={() => location.reload()}>
      <p>
        Nothing was changed. {(error as Error).message} <ContactLink>Contact the team</ContactLink>
      </p>
      <p>If the portal was updated while this page was open, reload the page.</p>
    </Failure>
  );
}
