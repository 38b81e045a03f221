import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { Badge } from '../../shared/ui/data/badge.tsx';
import { healthQuery } from '../api/health.ts';

/** Whether the gateway that answers is well. */
export function Health() {
  const health = useQuery(healthQuery);
  if (health.isError) {
    return (
      <Badge tone="failed" icon={CircleAlert}>
        The gateway does not answer
      </Badge>
    );
  }
  if (health.data === undefined) return null;
  if (health.data === 'ready') {
    return (
      <Badge tone="served" icon={CircleCheck}>
        Working
      </Badge>
    );
  }
  return (
    <Badge tone="refused" icon={TriangleAlert}>
      {health.data === 'degraded' ? 'Degraded: a store is away' : `Not ready: ${health.data}`}
    </Badge>
  );
}
