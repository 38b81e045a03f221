import { Ban, CircleCheck, CircleOff, CircleSlash, Hourglass } from 'lucide-react';
import { Badge } from './badge.tsx';
import { useNow } from './time.tsx';

interface Props {
  readonly apiKey: { readonly status: 'active' | 'disabled' | 'revoked'; readonly expiresAt: string | null };
  readonly banned?: boolean;
}

/** What a call with the key meets now. */
export function KeyState({ apiKey: { status, expiresAt }, banned = false }: Props) {
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
