import { Coins, FlaskConical, Lock, LockOpen, TriangleAlert } from 'lucide-react';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import type { ListedOperation } from '../model/listed-operation.ts';

/** Shows badges for the unusual properties of an operation. */
export function Badges({
  operation: { lifecycle, cost, needsKey, missingFrom },
}: {
  readonly operation: ListedOperation;
}) {
  return (
    <>
      {lifecycle.deprecated && (
        <Badge tone="refused" icon={TriangleAlert}>
          Deprecated
        </Badge>
      )}
      {lifecycle.stability !== null && (
        <Badge tone="accent" icon={FlaskConical}>
          {findStateWord(lifecycle.stability)}
        </Badge>
      )}
      {cost > 1 && (
        <Badge tone="neutral" icon={Coins}>
          Costs {cost} units
        </Badge>
      )}
      {missingFrom !== null && (
        <Badge tone="refused" icon={Lock}>
          Not in your plan
        </Badge>
      )}
      {!needsKey && (
        <Badge tone="neutral" icon={LockOpen}>
          No key needed
        </Badge>
      )}
    </>
  );
}
