import { Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Code } from '../../../shared/ui/controls/copy.tsx';
import { type Change, createHeaders } from '../../../shared/transport/change.ts';
import { formatCurlCommand } from '../../api/transport/command-line.ts';
import styles from './as-command.module.css';

/** A collapsed section that shows how to make the same change from a terminal. */
export function FromTerminal({ children }: { readonly children: ReactNode }) {
  return (
    <details className={styles.details}>
      <summary>
        <Terminal size={14} aria-hidden />
        Do this from a terminal
      </summary>
      <div className={styles.lines}>{children}</div>
    </details>
  );
}

/** Shows the commands that make a change from a terminal. */
export function AsCommand({
  change,
  command,
  count = 1,
}: {
  readonly change: Change;
  readonly command?: string;
  readonly count?: number;
}) {
  return (
    <FromTerminal>
      {count > 1 && <p>This is for the first of {count}. Repeat it for each.</p>}
      {command !== undefined && <Code text={command} label="Copy the command" />}
      <Code text={formatCurlCommand(change, createHeaders(change))} label="Copy the curl line" />
    </FromTerminal>
  );
}
