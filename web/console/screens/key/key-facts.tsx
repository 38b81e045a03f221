import { Link } from '@tanstack/react-router';
import { count } from '../../../shared/format/number.ts';
import { Id } from '../../../shared/ui/copy.tsx';
import { Facts, Section } from '../../../shared/ui/page.tsx';
import { Time } from '../../../shared/ui/time.tsx';
import type { Key } from '../../api/keys.ts';
import { OwnerLink } from '../../parts/owner-link.tsx';

export function KeyFacts({ apiKey }: { readonly apiKey: Key }) {
  const { id, owner, plan, limits, prefix, lastFour, createdAt, expiresAt, lastUsedAt, metadata } = apiKey;
  const own = limits === null ? null : `${count(limits.minute)} a minute, ${count(limits.day)} a day`;
  return (
    <Section title="Details">
      <Facts
        facts={[
          ['Owner', <OwnerLink owner={owner} />],
          ['Plan', plan],
          ...(own === null ? [] : [['Limits of its own', own] as const]),
          ['Secret', <code>{`${prefix}…${lastFour}`}</code>],
          ['Id', <Id id={id} whole />],
          ['Created', <Time at={createdAt} />],
          ['Last used', lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />],
          ['Expires', expiresAt === null ? 'never' : <Time at={expiresAt} />],
          ...chainFacts(apiKey),
          ...Object.entries(metadata).map(([name, value]) => [name, <bdi>{value}</bdi>] as const),
        ]}
      />
    </Section>
  );
}

function chainFacts({ id, quotaId, rotatedTo }: Key) {
  const before = quotaId === id ? [] : [['Rotation chain began with', <KeyLink id={quotaId} />] as const];
  const after = rotatedTo === null ? [] : [['Replaced by', <KeyLink id={rotatedTo} />] as const];
  return [...before, ...after];
}

function KeyLink({ id }: { readonly id: string }) {
  return (
    <Link to="/keys/$id" params={{ id }}>
      <code>{id}</code>
    </Link>
  );
}
