import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { Badge } from '../../shared/ui/data/badge.tsx';
import { healthQuery } from '../api/health.ts';
import { systemQuery } from '../api/system.ts';

/** Shows if this gateway, and everything that it needs, is healthy. */
export function Health() {
  const health = useQuery(healthQuery);
  const components = useQuery(systemQuery).data?.components ?? [];
  if (health.isError) {
    return (
      <Badge tone="failed" icon={CircleAlert}>
        The gateway does not respond
      </Badge>
    );
  }
  if (health.data === undefined) return null;
  if (health.data !== 'ready' && health.data !== 'degraded') {
    return (
      <Badge tone="refused" icon={TriangleAlert}>
        Not ready: {health.data}
      </Badge>
    );
  }
  if (health.data === 'degraded' || components.some(({ state }) => state === 'degraded' || state === 'away')) {
    return (
      <Badge tone="refused" icon={TriangleAlert}>
        Gateway degraded
      </Badge>
    );
  }
  return (
    <Badge tone="usual" icon={CircleCheck}>
      Gateway healthy
    </Badge>
  );
}
