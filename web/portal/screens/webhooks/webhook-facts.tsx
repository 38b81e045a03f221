import { Link } from '@tanstack/react-router';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { ALL_TYPES } from '../../../shared/webhooks/webhook.ts';
import type { Webhook } from '../../api/events/webhooks.ts';

export function WebhookFacts({
  webhook: { url, types, createdAt, previousSecretUntil },
}: {
  readonly webhook: Webhook;
}) {
  const now = useNow();
  const isChanging = previousSecretUntil !== null && Date.parse(previousSecretUntil) > now;
  return (
    <Facts>
      <Fact name="URL" isWide>
        <code>{url}</code>
      </Fact>
      <Fact name="Events">
        {types.includes(ALL_TYPES) ? 'all, including types added later' : <Types types={types} />}
      </Fact>
      <Fact name="Secret">
        {isChanging ? (
          <>
            rotated; the old one is valid until <Time at={previousSecretUntil} />
          </>
        ) : (
          'shown only when it is created or rotated'
        )}
      </Fact>
      <Fact name="Created">
        <Time at={createdAt} />
      </Fact>
    </Facts>
  );
}

function Types({ types }: Pick<Webhook, 'types'>) {
  return (
    <ul>
      {types.map((type) => (
        <li key={type}>
          <Link to="/events/$type" params={{ type }}>
            <code>{type}</code>
          </Link>
        </li>
      ))}
    </ul>
  );
}
