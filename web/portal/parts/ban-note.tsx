import { Ban as BanIcon } from 'lucide-react';
import { exactTime } from '../../shared/format/time.ts';
import { Time } from '../../shared/ui/data/time.tsx';
import { Note } from '../../shared/ui/page/states.tsx';
import { GuideLink } from '../markdown/guide-link.tsx';
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

function ByOperator({ ban: { message } }: { readonly ban: Ban }) {
  return (
    <>
      {BY_TEAM} {message === null ? 'Ask them what to change.' : <TeamMessage message={message} />} Creating a new key
      does not help.
    </>
  );
}

/** The beginning of what is said about a ban that an operator started. */
export const BY_TEAM = 'The team behind this API banned your keys.';

export function TeamMessage({ message }: { readonly message: string }) {
  return (
    <>
      Their message: “<bdi>{message}</bdi>”
    </>
  );
}

function ByRule({ ban: { message } }: { readonly ban: Ban }) {
  return (
    <>
      Reason: {message === null ? 'requests sent without waiting for Retry-After' : <bdi>{message}</bdi>}. Pause your
      client until the ban ends, and make it <GuideLink page="limits">wait for the time in Retry-After</GuideLink>.
      Otherwise, the next ban will be longer. Creating a new key does not help.
    </>
  );
}
