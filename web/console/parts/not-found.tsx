import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import { loadParts, PartNotLoaded } from '../../shared/behavior/lazy-part.tsx';
import { Page } from '../../shared/ui/page/page.tsx';
import { Empty, Failure } from '../../shared/ui/page/states.tsx';

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        icon={Compass}
        title="This screen does not exist"
        action={
          <Link to="/overview" className={buttonClass('plain')}>
            Go to Overview
          </Link>
        }
      >
        The address may come from another version of the console.
      </Empty>
    </Page>
  );
}

/** Shown if a screen fails to render or could not be loaded. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  if (error instanceof PartNotLoaded) {
    return (
      <Page title="Not loaded">
        <Failure title="This screen could not be loaded" onRetry={() => void loadParts().then(reset)}>
          <p>{error.message} Nothing was changed. Check that the gateway is running, then try again.</p>
          <p>If the gateway was updated while this page was open, reload the page.</p>
        </Failure>
      </Page>
    );
  }
  return (
    <Failure title="This screen could not be shown" onRetry={() => location.reload()}>
      <p>Nothing was changed. {(error as Error).message}</p>
      <p>If the gateway was updated while this page was open, reload the page.</p>
    </Failure>
  );
}
