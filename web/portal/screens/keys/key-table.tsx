import { Link } from '@tanstack/react-router';
import { CircleSlash, PenLine, RotateCw } from 'lucide-react';
import { duration } from '../../../shared/format/time.ts';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { KeyState } from '../../../shared/ui/data/key-state.tsx';
import { Time, useNow } from '../../../shared/ui/data/time.tsx';
import { MoreMenu } from '../../../shared/ui/overlays/menu.tsx';
import type { Key } from '../../api/keys.ts';
import styles from './keys-screen.module.css';

type Ask = (what: 'rename' | 'rotate' | 'revoke', key: Key) => void;

const columns: readonly Column<Key>[] = [
  { id: 'name', header: 'Name', cell: (key) => <Name apiKey={key} /> },
  { id: 'state', header: 'State', width: '168px', hideBelow: 'narrow', cell: (key) => <State apiKey={key} /> },
  {
    id: 'used',
    header: 'Last used',
    width: '150px',
    hideBelow: 'medium',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
  },
  {
    id: 'made',
    header: 'Made',
    width: '150px',
    hideBelow: 'medium',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** @param onAsk left out for those who may change nothing */
export function KeyTable({ keys, onAsk }: { readonly keys: readonly Key[]; readonly onAsk: Ask | undefined }) {
  const menuColumn: Column<Key> = {
    id: 'menu',
    header: <span className={styles.hidden}>Actions</span>,
    width: '60px',
    cell: (key) => onAsk !== undefined && <KeyMenu apiKey={key} onAsk={onAsk} />,
  };
  return (
    <DataTable
      caption="Your keys, newest first"
      columns={onAsk === undefined ? columns : [...columns, menuColumn]}
      rows={keys}
      rowId={({ id }) => id}
    />
  );
}

/** Where there is no room for the column of states, the state stands below the name. */
function Name({ apiKey }: { readonly apiKey: Key }) {
  const { id, name, prefix, lastFour } = apiKey;
  return (
    <>
      <Link to="/usage" search={{ key: id }} className={styles.name} data-row-link>
        <bdi>{name}</bdi>
        <code>
          {prefix}…{lastFour}
        </code>
      </Link>
      <div className={styles.stateBelow}>
        <State apiKey={apiKey} />
      </div>
    </>
  );
}

function State({ apiKey }: { readonly apiKey: Key }) {
  const now = useNow();
  const left = apiKey.expiresAt === null ? 0 : Date.parse(apiKey.expiresAt) - now;
  const isEnding = apiKey.status === 'active' && left > 0;
  return (
    <span className={styles.state}>
      <KeyState apiKey={apiKey} />
      {isEnding && (
        <span className={styles.ending}>
          {apiKey.rotatedTo === null ? 'ends in' : 'replaced, works for'} {duration(left)}
        </span>
      )}
    </span>
  );
}

function KeyMenu({ apiKey, onAsk }: { readonly apiKey: Key; readonly onAsk: Ask }) {
  if (apiKey.status === 'revoked') return null;
  const rename = { label: 'Rename…', icon: PenLine, onSelect: () => onAsk('rename', apiKey) };
  const rotate = { label: 'Replace the secret…', icon: RotateCw, onSelect: () => onAsk('rotate', apiKey) };
  const revoke = { label: 'Revoke…', icon: CircleSlash, danger: true, onSelect: () => onAsk('revoke', apiKey) };
  const items = apiKey.rotatedTo === null ? [rename, rotate, revoke] : [rename, revoke];
  return <MoreMenu label={`Actions for ${apiKey.name}`} items={items} />;
}
