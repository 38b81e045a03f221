import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonClass } from '../../shared/ui/controls/button.tsx';
import { Page } from '../../shared/ui/page/page.tsx';
import { Empty, Failure } from '../../shared/ui/page/states.tsx';

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        icon={Compass}
        title="There is no such page"
        action={
          <Link to="/overview" className={buttonClass('plain')}>
            Go to the overview
          </Link>
        }
      >
        It may have moved, or the address was not copied whole.
      </Empty>
    </Page>
  );
}

/** A defect of the portal, or a part of it that could not be loaded because the portal was updated meanwhile. */
export function ScreenError({ error }: ErrorComponentProps) {
  return (
    <Failure title="This page could not be shown" onRetry={() => location.reload()}>
      <p>Nothing was changed. {(error as Error).message}</p>
      <p>If the portal was updated meanwhile, loading the page again helps.</p>
    </Failure>
  );
}
