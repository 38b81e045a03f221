import { Link } from '@tanstack/react-router';
import { Id } from '../../../shared/ui/controls/copy.tsx';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { ALL_TYPES } from '../../../shared/webhooks/webhook.ts';
import type { Webhook } from '../../api/events/webhooks.ts';
import { WebhookOwner } from '../../parts/webhooks/webhook-owner.tsx';

export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { id, accountId, url, types, createdAt, previousSecretUntil } = webhook;
  const now = useNow();
  const isChanging = previousSecretUntil !== null && Date.parse(previousSecretUntil) > now;
  return (
    <Facts>
      <Fact name="URL" isWide>
        <code>{url}</code>
      </Fact>
      <Fact name="Belongs to">
        <WebhookOwner accountId={accountId} />
      </Fact>
      <Fact name="Events">{types.includes(ALL_TYPES) ? 'all that it can receive' : <Types types={types} />}</Fact>
      {isChanging && (
        <Fact name="Old secret valid until">
          <Time at={previousSecretUntil} />
        </Fact>
      )}
      <Fact name="Id">
        <Id id={id} whole />
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
          <Link to="/events" search={{ type }}>
            <code>{type}</code>
          </Link>
        </li>
      ))}
    </ul>
  );
}
