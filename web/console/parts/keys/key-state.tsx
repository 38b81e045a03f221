import { Ban, CircleCheck, CircleOff, CircleSlash, Hourglass } from 'lucide-react';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { useNow } from '../../../shared/ui/data/time.tsx';
import type { Key } from '../../api/keys.ts';

/** What a call with the key meets now. */
export function KeyState({ apiKey, banned = false }: { readonly apiKey: Key; readonly banned?: boolean }) {
  const { status, expiresAt } = apiKey;
  const now = useNow();
  if (status === 'revoked') {
    return (
      <Badge tone="neutral" icon={CircleSlash}>
        Revoked
      </Badge>
    );
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= now) {
    return (
      <Badge tone="neutral" icon={Hourglass}>
        Expired
      </Badge>
    );
  }
  if (status === 'disabled') {
    return (
      <Badge tone="refused" icon={CircleOff}>
        Disabled
      </Badge>
    );
  }
  if (banned) {
    return (
      <Badge tone="banned" icon={Ban}>
        Banned
      </Badge>
    );
  }
  return (
    <Badge tone="served" icon={CircleCheck}>
      Active
    </Badge>
  );
}
