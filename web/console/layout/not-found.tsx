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
        title="There is no such screen"
        action={
          <Link to="/keys" className={buttonClass('plain')}>
            Go to the keys
          </Link>
        }
      >
        The address may be of another version of the console.
      </Empty>
    </Page>
  );
}

/** A defect of the console, or a part of it that could not be loaded because the gateway was updated meanwhile. */
export function ScreenError({ error }: ErrorComponentProps) {
  return (
    <Failure title="This screen could not be shown" onRetry={() => location.reload()}>
      <p>Nothing was changed. {(error as Error).message}</p>
      <p>If the gateway was updated meanwhile, loading the page again helps.</p>
    </Failure>
  );
}
