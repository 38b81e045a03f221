import { CircleUser, Layers, UsersRound } from 'lucide-react';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import type { EventType } from '../../api/events/webhooks.ts';

const AUDIENCES = {
  owner: { icon: CircleUser, words: 'About your account' },
  plan: { icon: Layers, words: 'About your plan' },
  everyone: { icon: UsersRound, words: 'For everyone' },
} as const;

/** A badge that says who receives the events of a type. */
export function AudienceBadge({ audience }: Pick<EventType, 'audience'>) {
  const { icon, words } = AUDIENCES[audience];
  return (
    <span>
      <Badge tone="neutral" icon={icon}>
        {words}
      </Badge>
    </span>
  );
}
