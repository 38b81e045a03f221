import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../../shared/ui/overlays/dialog.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import { toast } from '../../../shared/ui/overlays/toast.tsx';
import type { Change } from '../../../shared/transport/change.ts';
import { sendRequest } from '../../api/transport/client.ts';
import { AsCommand } from './as-command.tsx';
import { type FailedSubject, runAll } from './run-all.ts';
import styles from './action-dialog.module.css';

interface Action<Subject> {
  readonly title: string;
  /** Label of the button, such as "Disable the key". */
  readonly submit: string;
  readonly danger?: boolean;
  readonly wide?: boolean;
  /** Explains the effect of the change. */
  readonly effect: ReactNode;
  /** Fields other than the reason. */
  readonly fields?: ReactNode;
  /** Sentences that name the missing input. The dialog shows the first one. */
  readonly needs?: readonly (string | false)[];
  readonly reasonOptional?: boolean;
  /** Replaces the label "Reason", for example if the customer reads the text. */
  readonly reasonLabel?: string;
  readonly reasonHint?: string;
  /** Fields that follow the reason, such as a message to the customer. */
  readonly fieldsAfterReason?: ReactNode;
  readonly change: (subject: Subject, reason: string) => Change;
  /** Makes the change in several steps instead of sending `change`. After a failure, the next attempt continues it. */
  readonly steps?: Steps;
  /** The equivalent `tollgate` command, if there is one. */
  readonly command?: (subject: Subject, reason: string) => string | undefined;
  /** The past participle for the toast ("Banned"), which adds what was changed. Omitted if `onDone` shows a message. */
  readonly done?: string;
  readonly undo?: (subject: Subject, reason: string) => Change;
  /** The message of the toast after undoing, where "Undone" is not enough. */
  readonly undone?: (what: string) => string;
  readonly onDone?: (responses: readonly unknown[]) => void;
}

interface Steps {
  readonly total: number;
  readonly run: (reason: string, onProgress: (done: number) => void) => Promise<unknown>;
  /** Names for the toast what was changed. */
  readonly changed: () => string;
  readonly undo?: ((reason: string) => Promise<unknown>) | undefined;
}

interface Props<Subject> {
  readonly action: Action<Subject>;
  readonly subjects: readonly Subject[];
  readonly nameOf: (subject: Subject) => string;
  readonly onClose: () => void;
}

/** Asks for the reason, shows the effect and the equivalent command, makes the change, and offers to undo it. */
export function ActionDialog<Subject>({ action, subjects, nameOf, onClose }: Props<Subject>) {
  const [reason, setReason] = useState('');
  const { run, progress, failed } = useRun(action, subjects, nameOf, onClose);
  const why = reason.trim();
  const [need = null] = [...(action.needs ?? []), why === '' && action.reasonOptional !== true && NEEDS_REASON].filter(
    (each) => each !== false,
  );
  const needId = useId();
  const [first] = subjects;
  const isRunning = progress !== null;
  // Closing the dialog now would hide failures, and the secret of a new key.
  const close = () => {
    if (!isRunning) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (need === null && !isRunning) void run(why);
  };
  return (
    <Dialog title={action.title} open onClose={close} wide={action.wide}>
      <form onSubmit={submit}>
        <DialogBody>
          <div>{action.effect}</div>
          {action.fields}
          <TextField
            label={action.reasonLabel ?? 'Reason'}
            hint={action.reasonHint ?? 'For the audit log.'}
            optional={action.reasonOptional}
            required={action.reasonOptional !== true}
            maxLength={500}
            spellCheck
            value={reason}
            onChange={setReason}
          />
          {action.fieldsAfterReason}
          {first !== undefined && (
            <AsCommand
              change={action.change(first, why)}
              command={action.command?.(first, why)}
              count={subjects.length}
            />
          )}
          {failed.length > 0 && <Failures failed={failed} total={subjects.length} />}
        </DialogBody>
        <DialogFoot>
          {need !== null && (
            <p id={needId} className={styles.need}>
              {need}
            </p>
          )}
          <Button onClick={close} disabled={isRunning}>
            Cancel
          </Button>
          <Button
            type="submit"
            kind={action.danger === true ? 'danger' : 'primary'}
            disabled={need !== null || isRunning}
            aria-describedby={need === null ? undefined : needId}
          >
            {progress === null ? action.submit : `${progress} of ${action.steps?.total ?? subjects.length}…`}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

const NEEDS_REASON = 'Enter a reason.';

function Failures({ failed, total }: { readonly failed: readonly FailedSubject[]; readonly total: number }) {
  return (
    <Note tone="failed">
      <div role="alert">
        {total > 1 && <p>{`${failed.length} of ${pluralize(total, 'change')} failed; the others succeeded.`}</p>}
        <ul>
          {failed.slice(0, 5).map(({ name, message }) => (
            <li key={name}>
              {total > 1 && <bdi>{name}: </bdi>}
              {message}
            </li>
          ))}
        </ul>
      </div>
    </Note>
  );
}

function createUndo({ undo }: Steps, reason: string) {
  return undo && (() => undo(reason));
}

const READ_AGAIN_MS = 1000;

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function useRun<Subject>(
  action: Action<Subject>,
  subjects: readonly Subject[],
  nameOf: (subject: Subject) => string,
  onClose: () => void,
) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<number | null>(null);
  const [failed, setFailed] = useState<readonly FailedSubject[]>([]);
  const [made, setMade] = useState<ReadonlySet<Subject>>(new Set());

  const run = async (reason: string) => {
    setFailed([]);
    setProgress(0);
    const open = subjects.filter((subject) => !made.has(subject));
    const { steps, undo } = action;
    const outcome =
      steps === undefined
        ? await runAll(open, (subject) => sendRequest(action.change(subject, reason)), {
            nameOf,
            onProgress: setProgress,
          })
        : await runAll(open, () => steps.run(reason, setProgress), { nameOf, onProgress: () => {} });
    // Keeps the old result visible until the dialog closes, but not for longer, because a new secret may be shown next.
    await Promise.race([queries.invalidateQueries(), elapsed(READ_AGAIN_MS)]);
    const done = outcome.done.map(({ subject }) => subject);
    setMade(new Set([...made, ...done]));
    if (outcome.failed.length > 0) {
      setProgress(null);
      return setFailed(outcome.failed);
    }
    const what =
      steps?.changed() ??
      (subjects.length === 1 && subjects[0] !== undefined ? nameOf(subjects[0]) : pluralize(subjects.length, 'key'));
    const why = `undo: ${reason}`.slice(0, 500);
    const back =
      steps === undefined ? undo && ((subject: Subject) => sendRequest(undo(subject, why))) : createUndo(steps, why);
    if (action.done !== undefined)
      toast({
        message: `${action.done}: ${what}`,
        undo: back === undefined ? null : () => void runUndo(what, back),
      });
    onClose();
    action.onDone?.(outcome.done.map(({ result: response }) => response));
  };

  const runUndo = async (what: string, back: (subject: Subject) => Promise<unknown>) => {
    const outcome = await runAll(subjects, back, { nameOf, onProgress: () => {} });
    void queries.invalidateQueries();
    const [one] = outcome.failed;
    if (one === undefined) toast({ message: action.undone?.(what) ?? `Undone: ${what}` });
    else toast({ tone: 'failed', message: `Could not undo. ${one.message}` });
  };
  return { run, progress, failed };
}
