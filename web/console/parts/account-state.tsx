import { CircleCheck, CircleOff } from 'lucide-react';
import { findStateWord } from '../../shared/format/state-words.ts';
import { Badge } from '../../shared/ui/data/badge.tsx';
import type { Account } from '../api/accounts.ts';

export function AccountState({ status }: Pick<Account, 'status'>) {
  const isActive = status === 'active';
  return (
    <Badge tone={isActive ? 'usual' : 'refused'} icon={isActive ? CircleCheck : CircleOff}>
      {findStateWord(status)}
    </Badge>
  );
}
