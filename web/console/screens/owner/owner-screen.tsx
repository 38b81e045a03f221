import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { FileSearch, KeyRound, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { buttonClass, ButtonContent } from '../../../shared/ui/controls/button.tsx';
import { FittedTable } from '../../parts/fitted-table.tsx';
import { Section } from '../../../shared/ui/page/page.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { type Account, accountOfOwnerQuery } from '../../api/accounts.ts';
import { listKeys, keysQuery } from '../../api/keys.ts';
import { isStatus } from '../../../shared/transport/error.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { Breakdown } from '../../parts/breakdown.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { AccountActions } from '../../actions/account-actions.tsx';
import { LiftButton } from '../../actions/lift-button.tsx';
import { BanList } from '../../parts/keys/ban-list.tsx';
import { useKeyColumns } from '../../parts/keys/key-columns.tsx';
import { Traffic } from '../../parts/traffic.tsx';
import { ViolatedRules } from '../../parts/violations/violated-rules.tsx';
import { OwnerAccount, OwnerWebhooks } from './owner-account.tsx';
import { useSession } from '../../session/session-context.ts';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

/** Shows an owner with its account, keys, traffic, bans and webhooks. */
export function OwnerScreen() {
  const { owner } = useParams({ from: '/owners/$owner' });
  const period = readPeriod(useSearch({ from: '/owners/$owner' }));
  const { canChange } = useSession();
  const account = useQuery(accountOfOwnerQuery(owner)).data;
  // The API returns an error for owners that never had a key or an account.
  const isUnknown = isStatus(useInfiniteQuery(keysQuery({ owner })).error, 400);
  return (
    <ListPage
      title={account?.name ?? owner}
      above={<Link to="/owners">Owners</Link>}
      heading={<bdi>{account?.name ?? owner}</bdi>}
      summary={account != null && <Who account={account} />}
      actions={
        <>
          <Link to="/requests" search={{ owner }} className={buttonClass('plain')}>
            <ButtonContent icon={FileSearch}>Refused requests</ButtonContent>
          </Link>
          {canChange && (
            <Link to="/keys" search={{ owner, do: 'create' }} className={buttonClass('plain')}>
              <ButtonContent icon={Plus}>Create a key</ButtonContent>
            </Link>
          )}
          {canChange && account != null && <AccountActions account={account} />}
        </>
      }
    >
      {isUnknown ? (
        <Empty icon={KeyRound} title="This owner does not exist">
          Check the spelling. Owner names are case-sensitive.
        </Empty>
      ) : (
        <>
          <OwnerAccount owner={owner} />
          <Keys owner={owner} />
          <Traffic period={period} filters={{ owner }} />
          <Breakdown filters={{ owner }} period={period} />
          <ViolatedRules filters={{ owner }} period={period} />
          <Section
            title="Bans"
            aside={
              <Link to="/bans" search={{ owner }}>
                All bans of this owner
              </Link>
            }
          >
            <BanList filters={{ owner }} short lift={(keyId) => <LiftButton keyId={keyId} />} />
          </Section>
          <OwnerWebhooks owner={owner} />
        </>
      )}
    </ListPage>
  );
}

/** Shows the owner's id, which the heading replaces with the name, and the email address of the account. */
function Who({ account: { owner, email } }: { readonly account: Account }) {
  return (
    <p>
      <code>{owner}</code>
      {email !== null && (
        <>
          {' · '}
          <bdi>{email}</bdi>
        </>
      )}
    </p>
  );
}

function Keys({ owner }: { readonly owner: string }) {
  const list = useInfiniteQuery(keysQuery({ owner }));
  const keys = useMemo(() => listKeys(list.data), [list.data]);
  const all = useKeyColumns();
  const columns = useMemo(() => all.filter(({ id }) => id !== 'owner'), [all]);
  const { hasNextPage } = list;
  const more = useNextPage(list);
  return (
    <Section
      title={list.data === undefined ? 'Keys' : `${pluralize(keys.length, 'key')}${hasNextPage ? ' or more' : ''}`}
      aside={
        <Link to="/keys" search={{ owner }}>
          Manage keys
        </Link>
      }
    >
      {list.isPending && <Loading rows={4} label="Loading the keys" />}
      {list.isError && list.data === undefined && <ReadFailure query={list} what="the keys" />}
      {list.data !== undefined && keys.length === 0 && (
        <Empty icon={KeyRound} title="No keys yet">
          Its account has no keys yet.
        </Empty>
      )}
      {keys.length > 0 && (
        <FittedTable caption={`Keys of ${owner}`} columns={columns} rows={keys} rowId={({ id }) => id} onEnd={more} />
      )}
    </Section>
  );
}
