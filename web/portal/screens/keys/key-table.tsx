import { formatKeyPreview } from '../../../shared/format/key-preview.ts';
import { Link } from '@tanstack/react-router';
import { CircleSlash, Lock, PenLine, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { nestKeys } from '../../../shared/format/nested-keys.ts';
import { formatShortDuration } from '../../../shared/format/time.ts';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { KeyState } from '../../../shared/ui/data/key-state.tsx';
import { LastUse } from '../../../shared/ui/data/last-use.tsx';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { MoreMenu } from '../../../shared/ui/overlays/menu.tsx';
import type { Key } from '../../api/keys.ts';
import styles from './keys-screen.module.css';

type Ask = (what: 'rename' | 'addresses' | 'rotate' | 'revoke', key: Key) => void;

const columns: readonly Column<Key>[] = [
  {
    id: 'used',
    header: 'Last used',
    width: '150px',
    hideBelow: 'medium',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
  },
  {
    id: 'made',
    header: 'Created',
    width: '150px',
    hideBelow: 'medium',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

interface Props {
  readonly keys: readonly Key[];
  /** The ids of banned keys. */
  readonly banned: ReadonlySet<string>;
  /** Opens the dialog for a change. Undefined for users who may not make changes. */
  readonly onAsk: Ask | undefined;
}

/** Lists the keys, newest first. Each is followed by the keys that it replaced. */
export function KeyTable({ keys, banned, onAsk }: Props) {
  const renderState = (key: Key) => <State apiKey={key} banned={banned.has(key.id)} />;
  const first: readonly Column<Key>[] = [
    { id: 'name', header: 'Name', cell: (key) => <Name apiKey={key}>{renderState(key)}</Name> },
    { id: 'state', header: 'State', width: '190px', hideBelow: 'narrow', cell: renderState },
  ];
  const menuColumn: Column<Key> = {
    id: 'menu',
    header: <span className={styles.hidden}>Actions</span>,
    width: '60px',
    cell: (key) => onAsk !== undefined && <KeyMenu apiKey={key} onAsk={onAsk} />,
  };
  return (
    <DataTable
      caption="Your keys, newest first"
      columns={[...first, ...columns, ...(onAsk === undefined ? [] : [menuColumn])]}
      rows={nestKeys(keys)}
      rowId={({ id }) => id}
    />
  );
}

/** The name of a key. If there is no room for the status column, it also shows the status. */
function Name({ apiKey, children }: { readonly apiKey: Key; readonly children: ReactNode }) {
  const { id, name, concurrent, addresses, rotatedTo, grace, lastUsedAt } = apiKey;
  return (
    <div className={rotatedTo === null ? undefined : styles.replaced}>
      <Link to="/usage" search={{ key: id }} className={styles.name} data-row-link>
        <span>
          <bdi>{name}</bdi>
          {rotatedTo !== null && ' (old secret)'}
        </span>
        <code title={formatKeyPreview(apiKey)}>{formatKeyPreview(apiKey)}</code>
      </Link>
      {concurrent !== null && (
        <small className={styles.restricted}>At most {pluralize(concurrent, 'call')} at once</small>
      )}
      {addresses !== null && <small className={styles.restricted}>Only from {addresses.join(', ')}</small>}
      {grace !== null && (
        <small className={styles.restricted}>
          Last used: <LastUse lastUsedAt={lastUsedAt} grace={grace} />
        </small>
      )}
      <div className={styles.stateBelow}>{children}</div>
    </div>
  );
}

function State({ apiKey, banned }: { readonly apiKey: Key; readonly banned: boolean }) {
  const now = useNow();
  const left = apiKey.expiresAt === null ? 0 : Date.parse(apiKey.expiresAt) - now;
  const isEnding = apiKey.status === 'active' && left > 0 && (apiKey.rotatedTo === null || banned);
  return (
    <span className={styles.state}>
      <KeyState apiKey={apiKey} banned={banned} />
      {isEnding && <span className={styles.ending}>expires in {formatShortDuration(left)}</span>}
    </span>
  );
}

function KeyMenu({ apiKey, onAsk }: { readonly apiKey: Key; readonly onAsk: Ask }) {
  if (apiKey.status === 'revoked') return null;
  const rename = { label: 'Rename…', icon: PenLine, onSelect: () => onAsk('rename', apiKey) };
  const addresses = { label: 'Allowed addresses…', icon: Lock, onSelect: () => onAsk('addresses', apiKey) };
  const rotate = { label: 'Rotate the key…', icon: RefreshCw, onSelect: () => onAsk('rotate', apiKey) };
  const revoke = { label: 'Revoke…', icon: CircleSlash, danger: true, onSelect: () => onAsk('revoke', apiKey) };
  // The portal cannot revoke callers. Operators do that, because a caller has no secret that could leak, and other users
  // may share it.
  const items =
    apiKey.kind === 'token'
      ? [rename, addresses]
      : apiKey.rotatedTo === null
        ? [rename, addresses, rotate, revoke]
        : [rename, revoke];
  return <MoreMenu label={`Actions for ${apiKey.name}`} items={items} />;
}
