import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EyeOff, SlidersHorizontal } from 'lucide-react';
import { useCallback } from 'react';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { type Column, DataTable } from '../../../shared/ui/data/data-table.tsx';
import { FilterSelect } from '../../../shared/ui/controls/field.tsx';
import { FilterText } from '../../../shared/ui/controls/filter-text.tsx';
import { Toolbar } from '../../../shared/ui/page/toolbar.tsx';
import { Empty, Loading } from '../../../shared/ui/page/states.tsx';
import { configurationQuery, type Setting } from '../../api/system.ts';
import { ClearFilters } from '../../parts/clear-filters.tsx';
import { ReadFailure } from '../../parts/failure.tsx';
import parts from '../../parts/parts.module.css';
import styles from './configuration.module.css';
import { formatSetting } from './shown-setting.ts';

const SOURCES = [
  { value: 'file', label: 'the file' },
  { value: 'environment', label: 'the environment' },
  { value: 'default', label: 'defaults' },
];

const columns: readonly Column<Setting>[] = [
  { id: 'name', header: 'Setting', cell: (setting) => <Name setting={setting} /> },
  { id: 'value', header: 'Value', cell: (setting) => <Value setting={setting} /> },
  {
    id: 'from',
    header: 'From',
    width: '28%',
    hideBelow: 'narrow',
    cell: (setting) => <span className={styles.from}>{formatSource(setting)}</span>,
  },
];

/** Shows the current configuration, and where each setting was set. */
export function Configuration() {
  const configuration = useQuery(configurationQuery);
  const { q = '', source = '' } = useSearch({ from: '/system' });
  const navigate = useNavigate({ from: '/system' });
  const set = useCallback(
    (change: Record<string, string>) => void navigate({ search: (all) => ({ ...all, ...change }), replace: true }),
    [navigate],
  );
  if (configuration.data === undefined) {
    return configuration.isError ? (
      <ReadFailure query={configuration} what="the configuration" />
    ) : (
      <Loading rows={6} />
    );
  }
  const wanted = q.toLowerCase();
  const rows = configuration.data.settings.filter(
    (setting) => setting.name.toLowerCase().includes(wanted) && (source === '' || setting.source === source),
  );
  return (
    <>
      <Toolbar>
        <FilterText label="Find a setting" placeholder="Name" value={q} onChange={(text) => set({ q: text })} />
        <FilterSelect label="From" value={source} options={SOURCES} onChange={(value) => set({ source: value })} />
      </Toolbar>
      {rows.length === 0 ? (
        <Empty icon={SlidersHorizontal} title="No matching settings" action={<ClearFilters />}>
          Names are those of the configuration file, such as <code>bans.strikes</code>.
        </Empty>
      ) : (
        <DataTable caption="Settings" columns={columns} rows={rows} rowId={({ name }) => name} />
      )}
    </>
  );
}

function Name({ setting }: { readonly setting: Setting }) {
  return (
    <>
      <code className={styles.name}>{setting.name}</code>
      <span className={`${styles.below} ${parts.detail}`}>{formatSource(setting)}</span>
    </>
  );
}

function Value({ setting }: { readonly setting: Setting }) {
  if (setting.secret && setting.value === 'set') {
    return (
      <Badge tone="neutral" icon={EyeOff}>
        set, not shown
      </Badge>
    );
  }
  const text = formatSetting(setting);
  if (text === null) return <span className={parts.muted}>not set</span>;
  return (
    <bdi className={styles.value} title={text}>
      {text}
    </bdi>
  );
}

/**
 * Formats where a setting was set: `environment`, or the name of the file without its folder, because all files share
 * it.
 */
function formatSource({ name, from }: Setting): string {
  if (from === null) return 'default';
  return from === name ? 'environment' : from.replace(/^.*\//, '');
}
