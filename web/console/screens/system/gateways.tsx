import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleDot, CircleStop, Server, TriangleAlert } from 'lucide-react';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { shortenId } from '../../../shared/format/id.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Empty, Loading, Note } from '../../../shared/ui/page/states.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { type ConfigurationDrift, type Gateway, gatewaysQuery } from '../../api/system.ts';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import { useNextPage } from '../../../shared/behavior/next-page.ts';

const columns: readonly Column<Gateway>[] = [
  { id: 'host', header: 'Gateway', cell: (gateway) => <Name gateway={gateway} /> },
  { id: 'state', header: 'State', width: '112px', cell: ({ state }) => <State state={state} /> },
  { id: 'version', header: 'Version', width: '90px', hideBelow: 'narrow', cell: ({ version }) => version },
  {
    id: 'configuration',
    header: 'Configuration',
    width: '150px',
    hideBelow: 'medium',
    cell: (gateway) => <Configuration gateway={gateway} />,
  },
  {
    id: 'started',
    header: 'Started',
    width: '130px',
    hideBelow: 'medium',
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
  {
    id: 'seen',
    header: 'Last seen',
    width: '130px',
    hideBelow: 'narrow',
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
  },
];

/** Lists the gateways that share the database, including those that stopped in the last day. */
export function Gateways() {
  const list = useInfiniteQuery(gatewaysQuery);
  const more = useNextPage(list);
  if (list.data === undefined)
    return list.isError ? <ReadFailure query={list} what="the gateways" /> : <Loading rows={2} />;
  const gateways = list.data.pages.flatMap(({ items }) => items);
  if (gateways.length === 0) {
    return (
      <Empty icon={Server} title="No gateways recorded yet">
        Every running gateway records itself in the database every ten seconds.
      </Empty>
    );
  }
  return (
    <>
      <Drift drift={list.data.pages[0]?.drift ?? null} />
      <DataTable
        caption="Gateways, most recently started first"
        columns={columns}
        rows={gateways}
        rowId={({ id }) => id}
        onEnd={more}
      />
    </>
  );
}

function Drift({ drift }: { readonly drift: ConfigurationDrift }) {
  if (drift === null) return null;
  return (
    <Note tone="refused" icon={TriangleAlert}>
      <p>
        The gateways have different configurations. The difference began <Time at={drift.since} />, and is in:{' '}
        {drift.parts.join(', ')}.
      </p>
      <p>Make their files identical, then reload or restart the gateways that are behind.</p>
    </Note>
  );
}

function Configuration({ gateway }: { readonly gateway: Gateway }) {
  if (gateway.configuration === null) return 'unknown';
  const differs = listDifferences(gateway);
  return (
    <code title={differs.length === 0 ? undefined : `Differs from this one in: ${differs.join(', ')}`}>
      {gateway.configuration.digest}
    </code>
  );
}

/** Lists the parts of the configuration in which a running gateway differs from the one that serves this page. */
function listDifferences({ configuration, current, state }: Gateway): readonly string[] {
  return current || state !== 'running' ? [] : (configuration?.differs ?? []);
}

function Name({ gateway }: { readonly gateway: Gateway }) {
  const { id, host, current } = gateway;
  return (
    <span className={parts.beside}>
      <span title={id}>
        <bdi>{host}</bdi> <code className={parts.detail}>{shortenId(id)}</code>
      </span>
      {current && (
        <Badge tone="accent" icon={CircleDot}>
          this one
        </Badge>
      )}
      {listDifferences(gateway).length > 0 && (
        <Badge tone="refused" icon={TriangleAlert}>
          differs
        </Badge>
      )}
    </span>
  );
}

const LOOKS = {
  running: { tone: 'usual', icon: CircleCheck },
  gone: { tone: 'failed', icon: CircleAlert },
  stopped: { tone: 'neutral', icon: CircleStop },
} as const;

function State({ state }: Pick<Gateway, 'state'>) {
  return <Badge {...LOOKS[state]}>{findStateWord(state)}</Badge>;
}
