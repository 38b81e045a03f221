import { useQueryClient } from '@tanstack/react-query';
import { Section } from '../../../shared/ui/page/page.tsx';
import { TestEvent } from '../../../shared/webhooks/test-event.tsx';
import { AsCommand } from '../../actions/dialog/as-command.tsx';
import { testWebhook } from '../../api/events/webhooks.ts';
import { send } from '../../api/transport/client.ts';
import { tollgateLine } from '../../api/transport/command-line.ts';

/** Sends a test event, and shows the result. */
export function Trial({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const change = testWebhook(id);
  const test = () => send(change).finally(() => void queries.invalidateQueries({ queryKey: ['webhooks'] }));
  return (
    <Section title="Test event">
      <TestEvent test={test}>
        <AsCommand change={change} command={tollgateLine(['webhooks', 'test', id], {})} />
      </TestEvent>
    </Section>
  );
}
