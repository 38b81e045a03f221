import { Link } from '@tanstack/react-router';
import { formatKeyPreview } from '../../../shared/format/key-preview.ts';
import { formatCount } from '../../../shared/format/number.ts';
import { Id } from '../../../shared/ui/controls/copy.tsx';
import { Fact, Facts } from '../../../shared/ui/page/page.tsx';
import { LastUse } from '../../../shared/ui/data/last-use.tsx';
import { Moment, Time } from '../../../shared/ui/data/time.tsx';
import { formatLimits } from '../../api/limits.ts';
import { ACCOUNT_PREFIX, type Key } from '../../api/keys.ts';
import { OwnerLink } from '../../parts/owner-link.tsx';
import { PlanLink } from '../../parts/plan-link.tsx';

export function KeyFacts({ apiKey }: { readonly apiKey: Key }) {
  const { concurrent, operations, addresses } = apiKey;
  const { id, owner, plan, limits, token, createdAt, expiresAt, lastUsedAt, quotaId, rotatedTo } = apiKey;
  const { externalId, grace, validation } = apiKey;
  return (
    <Facts>
      <Fact name="Owner">
        <OwnerLink owner={owner} account={apiKey.account ?? null} />
      </Fact>
      <Fact name="Plan">
        <PlanLink id={plan} />
      </Fact>
      {limits !== null && <Fact name="Custom limits">{formatLimits(limits)}</Fact>}
      {concurrent !== null && (
        <Fact name="Requests at once">{`at most ${formatCount(concurrent)} on each gateway`}</Fact>
      )}
      {operations !== null && <Fact name="Only these operations">{operations.join(', ')}</Fact>}
      {addresses !== null && <Fact name="Only from">{addresses.join(', ')}</Fact>}
      {validation !== null && <Fact name="Requests that do not fit">counted, never refused (exempt)</Fact>}
      {token === null ? (
        <Fact name="Secret">
          <code>{formatKeyPreview(apiKey)}</code>
        </Fact>
      ) : (
        <>
          <Fact name="Issuer of its access tokens">
            <Link to="/keys" search={{ token: token.name }}>
              {token.name}
            </Link>
          </Fact>
          <Fact name="Named by the claim">
            <code>{token.claim}</code>
          </Fact>
          <Fact name="Value of the claim">
            <code>{token.caller}</code>
          </Fact>
        </>
      )}
      {externalId === null ? null : (
        <Fact name="External id">
          <code>{externalId}</code>
        </Fact>
      )}
      <Fact name="Id">
        <Id id={id} whole />
      </Fact>
      <Fact name="Created">
        <Moment at={createdAt} />
      </Fact>
      <Fact name="Last used">
        <LastUse lastUsedAt={lastUsedAt} grace={grace} />
      </Fact>
      <Fact name="Expires">
        {grace !== null && 'once it is no longer used, '}
        {expiresAt === null ? 'never' : <Time at={expiresAt} />}
        {grace !== null && ' at the latest'}
      </Fact>
      <Quota id={id} quotaId={quotaId} />
      {rotatedTo !== null && (
        <Fact name="Replaced by">
          <KeyLink id={rotatedTo} />
        </Fact>
      )}
      <Metadata metadata={apiKey.metadata} />
    </Facts>
  );
}

/** Describes whose quota the key uses: its own, its account's, or that of the first key of its rotation chain. */
function Quota({ id, quotaId }: Pick<Key, 'id' | 'quotaId'>) {
  if (quotaId === id) return null;
  if (quotaId.startsWith(ACCOUNT_PREFIX)) {
    return (
      <Fact name="Shares its quota with account">
        <Id id={quotaId} whole />
      </Fact>
    );
  }
  return (
    <Fact name="First key of the rotation chain">
      <KeyLink id={quotaId} />
    </Fact>
  );
}

function Metadata({ metadata }: Pick<Key, 'metadata'>) {
  return Object.entries(metadata).map(([name, value]) => (
    <Fact key={name} name={name}>
      <bdi>{value}</bdi>
    </Fact>
  ));
}

function KeyLink({ id }: { readonly id: string }) {
  return (
    <Link to="/keys/$id" params={{ id }}>
      <code>{id}</code>
    </Link>
  );
}
