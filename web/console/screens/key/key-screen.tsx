import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { KeyRound, RefreshCw } from 'lucide-react';
import { buttonClass } from '../../../shared/ui/controls/button.tsx';
import { Freshness } from '../../../shared/ui/page/freshness.tsx';
import { Page, Section } from '../../../shared/ui/page/page.tsx';
import { Empty, Loading, Note } from '../../../shared/ui/page/states.tsx';
import { LastUse } from '../../../shared/ui/data/last-use.tsx';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { isStatus } from '../../../shared/transport/error.ts';
import { type Key, keyQuery, type Usage, usageQuery, type VersionedKey } from '../../api/keys.ts';
import { plansQuery } from '../../api/plans.ts';
import { readPeriod } from '../../../shared/traffic/period.ts';
import { AuditTable } from '../../parts/audit/audit-table.tsx';
import { Breakdown } from '../../parts/breakdown.tsx';
import { BanList } from '../../parts/keys/ban-list.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import { KeyState } from '../../../shared/ui/data/key-state.tsx';
import { OwnerLink } from '../../parts/owner-link.tsx';
import { Traffic } from '../../parts/traffic.tsx';
import { ViolatedRules } from '../../parts/violations/violated-rules.tsx';
import { KeyActions } from './key-actions.tsx';
import { RecentRefusals } from './recent-refusals.tsx';
import { KeyFacts } from './key-facts.tsx';
import { Windows } from './windows.tsx';
import styles from './key-screen.module.css';

export function KeyScreen() {
  const { id } = useParams({ from: '/keys/$id' });
  const key = useQuery(keyQuery(id));
  const usage = useQuery(usageQuery(id, true));
  if (key.data !== undefined) return <OneKey apiKey={key.data} usage={usage} />;
  return (
    <Page title="Key" above={<Link to="/keys">Keys</Link>}>
      {key.isPending && <Loading label="Loading the key" />}
      {isStatus(key.error, 404) ? <NoSuchKey id={id} /> : key.isError && <ReadFailure query={key} what="the key" />}
    </Page>
  );
}

type UsageRead = ReturnType<typeof useQuery<Usage>>;

function OneKey({ apiKey, usage }: { readonly apiKey: VersionedKey; readonly usage: UsageRead }) {
  const ban = usage.data?.ban ?? null;
  const period = readPeriod(useSearch({ from: '/keys/$id' }));
  return (
    <Page
      title={apiKey.name}
      above={
        <>
          <Link to="/keys">Keys</Link> · <OwnerLink owner={apiKey.owner} account={apiKey.account ?? null} />
        </>
      }
      heading={
        <span className={styles.heading}>
          <bdi>{apiKey.name}</bdi>
          <KeyState apiKey={apiKey} banned={ban !== null} />
        </span>
      }
      summary={<KeySummary apiKey={apiKey} usage={usage.data} />}
      actions={<KeyActions apiKey={apiKey} banned={ban !== null} />}
    >
      {(apiKey.replaced ?? []).map((old) => (
        <StillUsed key={old.id} old={old} />
      ))}
      <KeyFacts apiKey={apiKey} />
      {/* The usage is polled, so its age is shown only if polling fails. */}
      <Section title="Now" aside={<Freshness query={usage} isQuiet />}>
        {usage.isPending && <Loading rows={2} label="Loading the usage" />}
        {usage.isError && usage.data === undefined && <ReadFailure query={usage} what="the usage" />}
        {usage.data !== undefined && <Windows usage={usage.data} apiKey={apiKey} />}
      </Section>
      <Traffic period={period} filters={{ key: apiKey.id }} />
      <Breakdown filters={{ key: apiKey.id }} period={period} />
      <RecentRefusals id={apiKey.id} />
      <ViolatedRules filters={{ key: apiKey.id }} period={period} />
      <Section title="Bans">
        <BanList filters={{ key: apiKey.quotaId }} short ofOneKey />
      </Section>
      <Section title="Changes">
        <AuditTable filters={{ subject: apiKey.id }} short />
      </Section>
    </Page>
  );
}

/** Says in one sentence whether calls with the key are served, and if not, why. */
function KeySummary({ apiKey, usage }: { readonly apiKey: Key; readonly usage?: Usage }) {
  const now = useNow();
  const plan = useQuery(plansQuery).data?.find(({ id }) => id === apiKey.plan);
  if (apiKey.status === 'revoked') return <p>Calls get 401. This cannot be undone.</p>;
  if (apiKey.status === 'disabled')
    return <p>Calls get 401 until the {apiKey.kind === 'token' ? 'caller' : 'key'} is enabled.</p>;
  if (apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) <= now) {
    return (
      <p>
        Calls get 401: the key expired <Time at={apiKey.expiresAt} />.
      </p>
    );
  }
  if (usage === undefined) return null;
  if (usage.ban !== null) {
    return (
      <p>
        Banned: calls get 403. The ban ends <Time at={usage.ban.until} />.
      </p>
    );
  }
  const exhausted = usage.windows.find(({ remaining }) => remaining === 0);
  if (exhausted !== undefined) {
    return (
      <p>
        The quota for this {exhausted.name} is used up:{' '}
        {plan?.mode === 'shadow' ? 'the plan is in shadow mode, so calls are still served' : 'calls get 429'}. It resets{' '}
        <Time at={exhausted.resetsAt} />.
      </p>
    );
  }
  return (
    <p>
      Calls are served.
      {apiKey.rotatedTo !== null && ' This secret was replaced by a newer one.'}
      {apiKey.grace !== null && ' It expires once it is no longer used.'}
    </p>
  );
}

/** Warns that a secret which this key replaced still works, and shows when it was last used. */
function StillUsed({ old }: { readonly old: NonNullable<Key['replaced']>[number] }) {
  return (
    <Note icon={RefreshCw}>
      The secret{' '}
      <Link to="/keys/$id" params={{ id: old.id }}>
        <code>{`${old.prefix}…${old.lastFour}`}</code>
      </Link>{' '}
      that this key replaced still works. Last used: <LastUse lastUsedAt={old.lastUsedAt} grace={old.grace} />. It
      expires once it is no longer used
      {old.expiresAt !== null && (
        <>
          , <Time at={old.expiresAt} /> at the latest
        </>
      )}
      .
    </Note>
  );
}

function NoSuchKey({ id }: { readonly id: string }) {
  return (
    <Empty
      icon={KeyRound}
      title="This key does not exist"
      action={
        <Link to="/keys" className={buttonClass('plain')}>
          All keys
        </Link>
      }
    >
      This gateway has no key with the id <code>{id}</code>. It may belong to another installation: keys are never
      deleted, except callers with access tokens.
    </Empty>
  );
}
