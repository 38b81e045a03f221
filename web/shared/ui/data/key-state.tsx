import { Ban, CircleCheck, CircleOff, CircleSlash, Hourglass, RefreshCw } from 'lucide-react';
import { DAY_MS, EXPIRING_DAYS } from '../../format/durations.ts';
import { findStateWord } from '../../format/state-words.ts';
import { Badge } from './badge.tsx';
import styles from './key-state.module.css';
import { Time, useNow } from './time.tsx';

interface Props {
  readonly apiKey: {
    readonly status: 'active' | 'disabled' | 'revoked';
    readonly expiresAt: string | null;
    /** The id of the key that replaced this one, if it was rotated. */
    readonly rotatedTo?: string | null;
    /** Set if the key expires once it is no longer used. */
    readonly grace?: object | null;
  };
  readonly banned?: boolean;
}

/** A badge that says whether calls with the key are served, and if not, why. */
export function KeyState({ apiKey: { status, expiresAt, rotatedTo = null, grace = null }, banned = false }: Props) {
  const now = useNow();
  if (status === 'revoked') {
    return (
      <Badge tone="neutral" icon={CircleSlash}>
        {findStateWord('revoked')}
      </Badge>
    );
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= now) {
    return (
      <Badge tone="neutral" icon={Hourglass}>
        {findStateWord('expired')}
      </Badge>
    );
  }
  if (status === 'disabled') {
    return (
      <Badge tone="refused" icon={CircleOff}>
        {findStateWord('disabled')}
      </Badge>
    );
  }
  if (banned) {
    return (
      <Badge tone="banned" icon={Ban}>
        {findStateWord('banned')}
      </Badge>
    );
  }
  if (rotatedTo !== null) {
    return (
      <span className={styles.rotated}>
        <Badge tone="refused" icon={RefreshCw}>
          {findStateWord('rotating')}
        </Badge>
        {expiresAt !== null && (
          <span>
            expires <Time at={expiresAt} />
            {grace !== null && ' or earlier'}
          </span>
        )}
      </span>
    );
  }
  if (expiresAt !== null && Date.parse(expiresAt) - now <= EXPIRING_DAYS * DAY_MS) {
    return (
      <Badge tone="refused" icon={Hourglass}>
        Expires <Time at={expiresAt} />
      </Badge>
    );
  }
  return (
    <Badge tone="usual" icon={CircleCheck}>
      {findStateWord('active')}
    </Badge>
  );
}
