import { Ban as BanIcon } from 'lucide-react';
import { formatExactTime } from '../../shared/format/time.ts';
import { Time } from '../../shared/ui/data/time.tsx';
import { Note } from '../../shared/ui/page/states.tsx';
import { GuideLink } from '../markdown/guide-link.tsx';
import type { QuotaUsage } from '../api/usage.ts';
import { KeyNames, type SomeKeys } from './quota-name.tsx';

type Ban = NonNullable<QuotaUsage['ban']>;

interface Props {
  readonly ban: Ban;
  /** The banned keys. */
  readonly keys: SomeKeys;
}

/** Says why calls are refused, how long they will be, and what the user can do. */
export function BanNote({ ban, keys }: Props) {
  return (
    <Note tone="banned" icon={BanIcon}>
      <strong>
        Requests
        {keys !== 'all' && (
          <>
            {' '}
            with <KeyNames keys={keys} />
          </>
        )}{' '}
        are refused until {formatExactTime(Date.parse(ban.until))} (<Time at={ban.until} />
        ).
      </strong>{' '}
      {ban.manual ? <ByOperator ban={ban} keys={keys} /> : <ByRule ban={ban} />}
    </Note>
  );
}

function ByOperator({ ban: { message }, keys }: Props) {
  return (
    <>
      {describeBanByTeam(keys)} {message === null ? 'Ask them what to change.' : <TeamMessage message={message} />}{' '}
      Creating a new key does not help.
    </>
  );
}

/** Begins the note about a ban by an operator. */
export function describeBanByTeam(keys: SomeKeys): string {
  return `The team behind this API banned ${nameBannedKeys(keys)}.`;
}

/** Refers to keys that an earlier sentence has named, as "this key", "these keys" or "your keys". */
export function nameBannedKeys(keys: SomeKeys): string {
  if (keys === 'all') return 'your keys';
  return keys.length === 1 ? 'this key' : 'these keys';
}

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
