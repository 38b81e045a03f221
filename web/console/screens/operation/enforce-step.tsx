import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import type { Period } from '../../../shared/traffic/period.ts';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import type { Operation } from '../../api/operations.ts';
import type { ViolationTotals } from '../../api/violations.ts';
import parts from '../../parts/parts.module.css';
import styles from '../../parts/violations/violations.module.css';

interface Props {
  readonly operation: Operation;
}

/** Explains what `enforce` would change, and shows the configuration lines that turn it on. */
export function EnforceStep({ operation, ...affected }: Props & AffectedProps) {
  return (
    <details className={styles.step}>
      <summary>Go from report to enforce</summary>
      <div className={styles.lines}>
        <p>
          Requests that do not fit would get <code>400 validation_failed</code>, and would not reach the service. They
          would still cost units of the quota. <Affected {...affected} />
        </p>
        <Lines operation={operation} mode="enforce" />
      </div>
    </details>
  );
}

/** Explains how to find out whose requests would be refused, and shows the configuration lines for it. */
export function ReportStep({ operation }: Props) {
  return (
    <details className={styles.step}>
      <summary>Find out who would be refused</summary>
      <div className={styles.lines}>
        <p>
          With <code>report</code>, requests are compared and counted. None is refused or delayed.
        </p>
        <Lines operation={operation} mode="report" />
      </div>
    </details>
  );
}

interface AffectedProps {
  /** The counts of requests that do not fit the document. Null if all of them fit. */
  readonly totals: ViolationTotals | null;
  readonly period: Period;
}

function Affected({ totals, period }: AffectedProps) {
  if (totals === null) return <>No request {period.words} would have been refused.</>;
  const { keys, exemptKeys } = totals;
  const refused = keys - exemptKeys;
  const exempt = exemptKeys === 0 ? '' : ` ${pluralize(exemptKeys, 'key is', 'keys are')} exempt.`;
  return (
    <>
      {`Enforcing would have refused requests of ${pluralize(refused, 'key')} ${period.words}.${exempt} `}
      {refused > 0 && 'Tell their owners first, or exempt keys whose owners need more time.'}
    </>
  );
}

interface LinesProps extends Props {
  readonly mode: 'report' | 'enforce';
}

/** Shows the configuration lines that set the mode, for this operation or for its whole service. */
function Lines({ operation: { method, path, upstream }, mode }: LinesProps) {
  const target = `$.paths['${path}'].${method.toLowerCase()}`;
  const overlay = [
    'overlay: 1.0.0',
    `info: { title: Validation, version: '1' }`,
    'actions:',
    `  - target: ${JSON.stringify(target)}`,
    `    update: { x-tollgate-validation: ${mode} }`,
  ].join('\n');
  const service = ['upstreams:', `  - name: ${upstream}`, `    validation: ${mode}`].join('\n');
  return (
    <ol>
      <Step text={overlay} label="Copy the overlay">
        For this operation, set <code>x-tollgate-validation: {mode}</code> in the document. If you cannot edit it, add
        this file to <code>overlays</code> of the service:
      </Step>
      <Step text={service} label="Copy the setting">
        Or for all operations of the service, in the configuration file:
      </Step>
      <Step text="npx tollgate config check && npx tollgate config reload" label="Copy the command">
        Then check and{' '}
        <Link to="/system" search={{ do: 'reload' }} className={parts.inText}>
          reload
        </Link>{' '}
        the configuration of each gateway:
      </Step>
    </ol>
  );
}

interface StepProps {
  readonly text: string;
  readonly label: string;
  readonly children: ReactNode;
}

function Step({ text, label, children }: StepProps) {
  return (
    <li>
      <p>{children}</p>
      <Code text={text} label={label} />
    </li>
  );
}
