import { Link } from '@tanstack/react-router';
import { Ban as BanIcon } from 'lucide-react';
import { exactTime } from '../../shared/format/time.ts';
import { Time } from '../../shared/ui/data/time.tsx';
import { Note } from '../../shared/ui/page/states.tsx';
import type { QuotaUsage } from '../api/usage.ts';

type Ban = NonNullable<QuotaUsage['ban']>;

/** Why calls are refused, until when, and what to do. */
export function BanNote({ ban }: { readonly ban: Ban }) {
  return (
    <Note tone="banned" icon={BanIcon}>
      <strong>
        Requests are refused until {exactTime(Date.parse(ban.until))} (<Time at={ban.until} />
        ).
      </strong>{' '}
      {ban.manual ? <ByOperator ban={ban} /> : <ByRule ban={ban} />}
    </Note>
  );
}

function ByOperator({ ban: { reason } }: { readonly ban: Ban }) {
  return (
    <>
      The team behind this API banned your keys
      {reason !== null && (
        <>
          : “<bdi>{reason}</bdi>”
        </>
      )}
      . Ask them what to change. A new key does not help.
    </>
  );
}

function ByRule({ ban: { reason } }: { readonly ban: Ban }) {
  return (
    <>
      The reason: {reason === null ? 'calls before the time in Retry-After' : <bdi>{reason}</bdi>}. Stop calling until
      then, and let your client{' '}
      <Link to="/docs/$page" params={{ page: 'limits' }}>
        wait as Retry-After says
      </Link>
      . If it keeps calling, the next ban is longer. A new key does not help.
    </>
  );
}
