import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import { findStateWord } from '../../../shared/format/state-words.ts';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { Time } from '../../../shared/ui/data/time.tsx';
import { type Component, componentName } from '../../api/system.ts';
import parts from '../../parts/parts.module.css';

const KINDS: Readonly<Record<Component['kind'], string>> = {
  embedded: 'in this process',
  redis: 'Redis',
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  module: 'in this process',
  http: 'over HTTP',
};

const columns: readonly Column<Component>[] = [
  { id: 'name', header: 'Component', cell: (component) => <Name component={component} /> },
  { id: 'state', header: 'State', width: '112px', cell: ({ state }) => <State state={state} /> },
  { id: 'since', header: 'Since', width: '130px', hideBelow: 'narrow', cell: ({ since }) => <Time at={since} /> },
];

const CAUSE: Column<Component> = {
  id: 'cause',
  header: 'Cause',
  hideBelow: 'medium',
  width: '40%',
  cell: ({ cause }) => <bdi>{cause}</bdi>,
};

/**
 * Lists the components that the gateway depends on, with their state. The column of causes appears only if one has a
 * cause.
 */
export function Components({ components }: { readonly components: readonly Component[] }) {
  const shown = components.some(({ cause }) => cause !== null) ? [...columns, CAUSE] : columns;
  return (
    <DataTable caption="Dependencies of this gateway" columns={shown} rows={components} rowId={({ name }) => name} />
  );
}

function Name({ component }: { readonly component: Component }) {
  return (
    <>
      {componentName(component)} <span className={parts.detail}>{KINDS[component.kind]}</span>
    </>
  );
}

const LOOKS = {
  ready: { tone: 'usual', icon: CircleCheck },
  degraded: { tone: 'refused', icon: TriangleAlert },
  away: { tone: 'failed', icon: CircleAlert },
  unknown: { tone: 'neutral', icon: CircleHelp },
} as const;

function State({ state }: Pick<Component, 'state'>) {
  return <Badge {...LOOKS[state]}>{findStateWord(state)}</Badge>;
}
