import { CircleCheck, FlaskConical, LockOpen, Sunset, TriangleAlert } from 'lucide-react';
import { findStateWord } from '../../shared/format/state-words.ts';
import { Badge } from '../../shared/ui/data/badge.tsx';
import { useNow } from '../../shared/ui/data/time.tsx';
import type { Operation } from '../api/operations.ts';

/** A badge for the lifecycle state of an operation. */
export function LifecycleState({ lifecycle }: Pick<Operation, 'lifecycle'>) {
  const { deprecated, sunsetAt, stability } = lifecycle;
  const now = useNow();
  if (sunsetAt !== null && Date.parse(sunsetAt) <= now) {
    return (
      <Badge tone="failed" icon={Sunset}>
        Past its sunset
      </Badge>
    );
  }
  if (deprecated) {
    return (
      <Badge tone="refused" icon={TriangleAlert}>
        {findStateWord('deprecated')}
      </Badge>
    );
  }
  if (stability === 'stable') {
    return (
      <Badge tone="usual" icon={CircleCheck}>
        {findStateWord('stable')}
      </Badge>
    );
  }
  return (
    <Badge tone="accent" icon={FlaskConical}>
      {findStateWord(stability)}
    </Badge>
  );
}

/** A badge for an operation that can be called without a key. */
export function PublicBadge() {
  return (
    <Badge tone="neutral" icon={LockOpen}>
      {findStateWord('public')}
    </Badge>
  );
}
