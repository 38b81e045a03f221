import { useQuery } from '@tanstack/react-query';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { Note } from '../../shared/ui/page/states.tsx';
import { Time } from '../../shared/ui/data/time.tsx';
import { componentName, systemQuery } from '../api/system.ts';

/**
 * Lists the components that the gateway cannot reach, or not fully, with the time and the cause. Renders nothing if all
 * are fine. A service without health checks is listed only while it fails.
 */
export function ComponentTroubles() {
  const components = useQuery(systemQuery).data?.components ?? [];
  return components
    .filter(({ state }) => state === 'degraded' || state === 'away')
    .map((component) => (
      <Note
        key={component.name}
        tone={component.state === 'away' ? 'failed' : 'refused'}
        icon={component.state === 'away' ? CircleAlert : TriangleAlert}
      >
        <strong>{componentName(component)}</strong>: {component.state === 'away' ? 'unreachable' : component.state},
        first noticed <Time at={component.since} />. <bdi>{component.cause}</bdi>
      </Note>
    ));
}
