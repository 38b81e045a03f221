import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { type EventFilters, eventTypesQuery } from '../../api/events/events.ts';
import { FilterTimes } from '../../../shared/ui/controls/filter-time.tsx';

/** Webhooks cannot subscribe to test events, but the events are delivered. */
const TEST_TYPE = 'webhook.test';

export function EventsToolbar({ filters }: { readonly filters: EventFilters }) {
  const types = useQuery(eventTypesQuery).data ?? [];
  const navigate = useNavigate({ from: '/events' });
  const set = (change: EventFilters) => void navigate({ search: (all) => ({ ...all, ...change }), replace: true });
  const { type = '', subject = '', from, to } = filters;
  // Includes the type from the URL, because it may no longer exist.
  const names = new Set([...types.map(({ name }) => name), TEST_TYPE, ...(type === '' ? [] : [type])]);
  return (
    <Toolbar>
      <FilterText
        label="Subject"
        placeholder="Id of a key, plan, webhook"
        value={subject}
        onChange={(text) => set({ subject: text.trim() })}
      />
      <FilterSelect
        label="Type"
        value={type}
        options={[...names].toSorted((a, b) => a.localeCompare(b)).map((name) => ({ value: name, label: name }))}
        onChange={(value) => set({ type: value })}
      />
      <FilterTimes from={from} to={to} onChange={set} />
    </Toolbar>
  );
}
