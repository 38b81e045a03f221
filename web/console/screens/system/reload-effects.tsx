import { CircleCheck, CircleX, FilePlus2, type LucideIcon, RefreshCw, RotateCcw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Badge } from '../../../shared/ui/data/badge.tsx';
import { BreakableCode } from '../../../shared/ui/data/breakable-code.tsx';
import { type Column, DataTable, type DataTableProps } from '../../../shared/ui/data/data-table.tsx';
import type { ReloadReport } from '../../api/system.ts';
import { CallersOnPhones, ChangeCallers, LastCall } from '../../parts/changes/change-callers.tsx';
import { SeverityBadge } from '../../parts/changes/severity-badge.tsx';
import { KeyLink } from '../../parts/keys/key-link.tsx';
import parts from '../../parts/parts.module.css';
import { PlanLink } from '../../parts/plan-link.tsx';
import styles from './reload-effects.module.css';
import { formatSetting } from './shown-setting.ts';

type OperationEffect = ReloadReport['operations']['items'][number];
type OpenedOperation = ReloadReport['public'][number];
type Selector = ReloadReport['selectors'][number];
type PlanEffect = ReloadReport['plans'][number];
type SettingChange = ReloadReport['settings'][number];
type FileChange = ReloadReport['files'][number];

/** More rows would push the rest of the screen out of view, so they are shown on demand. */
const FIRST_ROWS = 20;
/** The period that links to other screens select. It is the one that the report covers. */
const PERIOD = { period: '30d' } as const;

/** A table that shows its first rows, with a button below it that shows the others. */
function FirstRows<Row>({ rows, ...table }: DataTableProps<Row>) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <>
      <DataTable {...table} rows={shown} />
      {shown.length < rows.length && (
        <div>
          <Button onClick={() => setIsWhole(true)}>{`Show all ${formatCount(rows.length)}`}</Button>
        </div>
      )}
    </>
  );
}

const operationColumns: readonly Column<OperationEffect>[] = [
  {
    id: 'severity',
    header: 'Severity',
    width: '132px',
    hideBelow: 'narrow',
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  {
    id: 'operation',
    header: 'Operation',
    cell: (effect) => (
      <>
        <div className={parts.onPhones}>
          <SeverityBadge severity={effect.severity} />
        </div>
        <OperationChange effect={effect} />
        <CallersOnPhones change={effect} period={PERIOD} />
      </>
    ),
  },
  {
    id: 'callers',
    header: 'Callers',
    width: '34%',
    hideBelow: 'narrow',
    cell: (effect) => <ChangeCallers change={effect} period={PERIOD} />,
  },
  {
    id: 'last',
    header: 'Last call',
    width: '132px',
    hideBelow: 'medium',
    cell: (effect) => <LastCall change={effect} />,
  },
];

const CHANGES = { added: 'new', removed: 'removed', changed: 'changed' } as const;

function OperationChange({ effect }: { readonly effect: OperationEffect }) {
  const { change, operation, upstream, messages } = effect;
  return (
    <>
      <Call call={operation} /> <span className={parts.detail}>{`${CHANGES[change]}, ${upstream}`}</span>
      {change === 'changed' && (
        <ul className={styles.messages}>
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Call({ call }: { readonly call: { readonly method: string; readonly path: string } | null }) {
  if (call === null) return 'Webhook';
  return (
    <code>
      {call.method}&nbsp;
      <BreakableCode text={call.path} />
    </code>
  );
}

export function ChangedOperations({ items }: { readonly items: readonly OperationEffect[] }) {
  return (
    <FirstRows
      caption="Operations that change, the most severe changes first"
      columns={operationColumns}
      rows={items}
      rowId={({ change, upstream, operation, messages }) =>
        `${change} ${upstream} ${operation?.method} ${operation?.path} ${messages[0]}`
      }
    />
  );
}

const openedColumns: readonly Column<OpenedOperation>[] = [
  { id: 'operation', header: 'Operation', cell: (operation) => <Call call={operation} /> },
  { id: 'service', header: 'Service', width: '34%', cell: ({ upstream }) => <bdi>{upstream}</bdi> },
];

export function OpenedOperations({ operations }: { readonly operations: readonly OpenedOperation[] }) {
  return (
    <FirstRows
      caption="Operations that can then be called without a key"
      columns={openedColumns}
      rows={operations}
      rowId={({ upstream, id }) => `${upstream} ${id}`}
    />
  );
}

const selectorColumns: readonly Column<Selector>[] = [
  {
    id: 'selector',
    header: 'Selector',
    cell: ({ selector, matchesNow, nearest }) => (
      <>
        <code className={styles.long}>{selector}</code>{' '}
        {!matchesNow && <span className={parts.detail}>matches nothing now either</span>}
        {nearest !== null && (
          <div className={parts.onPhones}>
            nearest: <code className={styles.long}>{nearest}</code>
          </div>
        )}
      </>
    ),
  },
  {
    id: 'holder',
    header: 'Used by',
    width: '34%',
    cell: ({ kind, id }) => (kind === 'plan' ? <PlanLink id={id} /> : <KeyLink id={id} withOwner />),
  },
  {
    id: 'nearest',
    header: 'Nearest',
    width: '28%',
    hideBelow: 'narrow',
    cell: ({ nearest }) =>
      nearest === null ? <span className={parts.muted}>–</span> : <code className={styles.long}>{nearest}</code>,
  },
];

export function UnmatchedSelectors({ selectors }: { readonly selectors: readonly Selector[] }) {
  return (
    <FirstRows
      caption="Selectors of plans and keys that match no operation after the reload"
      columns={selectorColumns}
      rows={selectors}
      rowId={({ kind, id, selector }) => `${kind} ${id} ${selector}`}
    />
  );
}

interface Look {
  readonly tone: 'failed' | 'neutral' | 'refused' | 'served';
  readonly icon: LucideIcon;
  readonly label: string;
}

const OUTCOMES: Readonly<Record<PlanEffect['outcome'], Look>> = {
  created: { tone: 'served', icon: FilePlus2, label: 'New' },
  changed: { tone: 'neutral', icon: RefreshCw, label: 'Changed' },
  kept: { tone: 'refused', icon: TriangleAlert, label: 'Not applied' },
  refused: { tone: 'failed', icon: CircleX, label: 'Refused' },
};

const planColumns: readonly Column<PlanEffect>[] = [
  {
    id: 'outcome',
    header: 'Effect',
    width: '132px',
    hideBelow: 'narrow',
    cell: ({ outcome }) => <LookBadge look={OUTCOMES[outcome]} />,
  },
  {
    id: 'plan',
    header: 'Plan',
    cell: (effect) => (
      <>
        <div className={parts.onPhones}>
          <LookBadge look={OUTCOMES[effect.outcome]} />
        </div>
        {effect.outcome === 'created' ? <bdi>{effect.id}</bdi> : <PlanLink id={effect.id} />}{' '}
        <span className={parts.detail}>{effect.fields.join(', ')}</span>
        <PlanReason outcome={effect.outcome} />
        {effect.preview !== null && (
          <div className={parts.onPhones}>
            Would have been refused: <RefusedKeys effect={effect} />
          </div>
        )}
      </>
    ),
  },
  {
    id: 'refused',
    header: 'Would have been refused',
    width: '34%',
    hideBelow: 'narrow',
    cell: (effect) => <RefusedKeys effect={effect} />,
  },
  {
    id: 'keys',
    header: 'Keys',
    width: '90px',
    numeric: true,
    hideBelow: 'medium',
    cell: ({ keys }) => (keys === null ? 'unknown' : formatCount(keys)),
  },
];

function PlanReason({ outcome }: Pick<PlanEffect, 'outcome'>) {
  if (outcome === 'kept') return <div className={parts.below}>An operator changed or deleted it.</div>;
  if (outcome !== 'refused') return null;
  return (
    <div className={parts.below}>
      Keys or accounts use it, and it would change between fixed and custom limits. The whole reload is refused.
    </div>
  );
}

/** The maximum number of keys that a row names. The others are counted. */
const MAX_NAMED_KEYS = 3;

function RefusedKeys({ effect: { preview } }: { readonly effect: PlanEffect }) {
  if (preview === null) return <span className={parts.muted}>–</span>;
  const { keysAbove, keysExamined, keysUsedUp, keys } = preview;
  if (keysAbove === 0) return <span className={parts.muted}>{`none of ${pluralize(keysExamined, 'key')}`}</span>;
  const named = keys.slice(0, MAX_NAMED_KEYS);
  const others = keysAbove - named.reduce((sum, { sharing }) => sum + sharing, 0);
  return (
    <>
      {`${formatCount(keysAbove)} of ${pluralize(keysExamined, 'key')}`}
      <ul className={styles.messages}>
        {named.map(({ key, name, owner }) => (
          <li key={key}>
            <KeyLink id={key} name={name} /> (<bdi>{owner}</bdi>)
          </li>
        ))}
        {others > 0 && <li>{`and ${formatCount(others)} more`}</li>}
        {keysUsedUp > 0 && <li>{`${pluralize(keysUsedUp, 'key')} would be refused until the end of the day`}</li>}
      </ul>
    </>
  );
}

export function ChangedPlans({ plans }: { readonly plans: readonly PlanEffect[] }) {
  return (
    <FirstRows
      caption="Plans of the plans file that change"
      columns={planColumns}
      rows={plans}
      rowId={({ id }) => id}
    />
  );
}

const settingColumns: readonly Column<SettingChange>[] = [
  {
    id: 'name',
    header: 'Setting',
    cell: (setting) => (
      <>
        <code className={styles.long}>{setting.name}</code>
        <div className={parts.onPhones}>
          <EffectBadge effect={setting.restart ? 'restart' : 'reload'} />
        </div>
        <div className={parts.onPhones}>
          <Values setting={setting} />
        </div>
      </>
    ),
  },
  {
    id: 'values',
    header: 'In force, and in the files',
    width: '40%',
    hideBelow: 'narrow',
    cell: (setting) => <Values setting={setting} />,
  },
  {
    id: 'effect',
    header: 'Takes effect',
    width: '150px',
    hideBelow: 'narrow',
    cell: ({ restart }) => <EffectBadge effect={restart ? 'restart' : 'reload'} />,
  },
];

function Values({ setting: { before, after, secret } }: { readonly setting: SettingChange }) {
  if (secret && before === after) return <span className={parts.muted}>changed, not shown</span>;
  const [was, is] = [before, after].map((value) => formatSetting({ value, secret }) ?? 'not set');
  return (
    <span className={styles.long}>
      <del className={parts.before}>{was}</del> <ins className={parts.after}>{is}</ins>
    </span>
  );
}

export function ChangedSettings({ settings }: { readonly settings: readonly SettingChange[] }) {
  return (
    <FirstRows
      caption="Settings that change"
      columns={settingColumns}
      rows={settings}
      rowId={({ name, restart }) => `${name} ${restart}`}
    />
  );
}

const EFFECTS: Readonly<Record<FileChange['effect'], Look>> = {
  reload: { tone: 'neutral', icon: RefreshCw, label: 'With a reload' },
  restart: { tone: 'refused', icon: RotateCcw, label: 'After a restart' },
  automatic: { tone: 'served', icon: CircleCheck, label: 'Automatically' },
};

function EffectBadge({ effect }: Pick<FileChange, 'effect'>) {
  return <LookBadge look={EFFECTS[effect]} />;
}

function LookBadge({ look: { tone, icon, label } }: { readonly look: Look }) {
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

const KINDS: Readonly<Record<FileChange['kind'], string>> = {
  document: 'document',
  overlay: 'overlay',
  candidate: 'candidate',
  plans: 'plans file',
  page: 'page of the portal',
  certificate: 'certificate or its key',
  secret: 'secret',
  logo: 'logo of the portal',
};

const fileColumns: readonly Column<FileChange>[] = [
  {
    id: 'path',
    header: 'File',
    cell: ({ path, kind, effect }) => (
      <>
        <bdi className={styles.long}>{path}</bdi>
        <div className={parts.onPhones}>
          {KINDS[kind]} <EffectBadge effect={effect} />
        </div>
      </>
    ),
  },
  { id: 'kind', header: 'Content', width: '190px', hideBelow: 'narrow', cell: ({ kind }) => KINDS[kind] },
  {
    id: 'effect',
    header: 'Takes effect',
    width: '150px',
    hideBelow: 'narrow',
    cell: ({ effect }) => <EffectBadge effect={effect} />,
  },
];

export function ChangedFiles({ files }: { readonly files: readonly FileChange[] }) {
  return (
    <FirstRows
      caption="Files that are read again"
      columns={fileColumns}
      rows={files}
      rowId={({ setting, path }) => `${setting} ${path}`}
    />
  );
}
