import { CircleCheck, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { Note } from '../../../shared/ui/page/states.tsx';
import type { ReloadReport as Report } from '../../api/system.ts';
import {
  ChangedFiles,
  ChangedOperations,
  ChangedPlans,
  ChangedSettings,
  OpenedOperations,
  UnmatchedSelectors,
} from './reload-effects.tsx';
import styles from './reload-report.module.css';

/** Lists the effects of a reload. Effects on callers come before effects on operators. */
export function ReloadReport({ report }: { readonly report: Report }) {
  const { operations, selectors, plans, settings, files, incomplete, warnings } = report;
  return (
    <div className={styles.report}>
      <div role="status">
        <Summary report={report} />
      </div>
      {incomplete.length > 0 && (
        <Note tone="refused" icon={TriangleAlert}>
          <strong>The preview is not complete:</strong> {incomplete.join('; ')}.
        </Note>
      )}
      {warnings.length > 0 && (
        <Note tone="refused" icon={TriangleAlert}>
          {warnings.map((warning) => (
            <p key={warning} className={styles.words}>
              {warning}
            </p>
          ))}
        </Note>
      )}
      {plans.length > 0 && (
        <Part title="Plans">
          <ChangedPlans plans={plans} />
        </Part>
      )}
      {operations.items.length > 0 && (
        <Part title="Operations">
          <ChangedOperations items={operations.items} />
        </Part>
      )}
      {report.public.length > 0 && (
        <Part title="Become public">
          <OpenedOperations operations={report.public} />
        </Part>
      )}
      {selectors.length > 0 && (
        <Part title="Selectors without an operation">
          <UnmatchedSelectors selectors={selectors} />
        </Part>
      )}
      {settings.length > 0 && (
        <Part title="Settings">
          <ChangedSettings settings={settings} />
        </Part>
      )}
      {files.length > 0 && (
        <Part title="Files">
          <ChangedFiles files={files} />
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

interface Look {
  readonly tone: 'failed' | 'neutral' | 'refused' | 'served';
  readonly icon?: LucideIcon;
  readonly sentences: readonly string[];
}

function Summary({ report }: { readonly report: Report }) {
  const { tone, icon, sentences } = summarize(report);
  const [first, ...others] = sentences;
  return (
    <Note tone={tone} {...(icon === undefined ? {} : { icon })}>
      <strong>{first}</strong>
      {others.length > 0 && (
        <ul className={styles.sentences}>
          {others.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Note>
  );
}

function summarize({ operations, restart, settings, files, plans, ...report }: Report): Look {
  const { called, keys, owners, added, removed } = operations;
  const refused = plans.filter(({ outcome }) => outcome === 'refused').map(({ id }) => id);
  const broken = report.selectors.filter(({ matchesNow }) => matchesNow).length;
  const above = plans.reduce((sum, { preview }) => sum + (preview?.keysAbove ?? 0), 0);
  const changes = [
    count(settings.length, 'setting changes', 'settings change'),
    count(files.length, 'file is read again', 'files are read again'),
    count(added, 'operation is new', 'operations are new'),
    count(removed, 'operation is removed', 'operations are removed'),
    count(operations.changed, 'operation changes', 'operations change'),
  ].flat();
  const serious = [
    ...(refused.length > 0
      ? [
          `A reload would be refused, because keys or accounts use ${refused.join(', ')}, which would change between fixed and custom limits.`,
        ]
      : []),
    ...(called > 0
      ? [
          `Breaking changes of ${pluralize(called, 'operation')} would affect ${
            keys === 0 ? 'callers without a key' : `${pluralize(keys, 'key')} of ${pluralize(owners, 'owner')}`
          } that called in the last 30 days.`,
        ]
      : []),
  ];
  const doubtful = [
    ...(above > 0 ? [`The new limits would have refused calls of ${pluralize(above, 'key')}.`] : []),
    ...count(report.public.length, 'operation becomes public.', 'operations become public.'),
    ...count(broken, 'selector would no longer match an operation.', 'selectors would no longer match an operation.'),
    ...(restart.length > 0 ? [`${pluralize(restart.length, 'setting')} would change only with a restart.`] : []),
  ];
  const usual = changes.length === 0 ? [] : [`In all: ${changes.join(', ')}.`];
  if (serious.length > 0) return { tone: 'failed', icon: CircleX, sentences: [...serious, ...doubtful, ...usual] };
  if (doubtful.length > 0) return { tone: 'refused', icon: TriangleAlert, sentences: [...doubtful, ...usual] };
  if (usual.length + plans.length > 0)
    return { tone: 'neutral', sentences: ['A reload would affect nobody who called in the last 30 days.', ...usual] };
  return {
    tone: 'served',
    icon: CircleCheck,
    sentences: ['A reload would change nothing.', 'The files say the same as the configuration in force.'],
  };
}

function count(value: number, one: string, many: string): string[] {
  return value <= 0 ? [] : [pluralize(value, one, many)];
}
