import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Button, type ButtonKind } from '../../shared/ui/controls/button.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../shared/ui/overlays/dialog.tsx';
import { Note } from '../../shared/ui/page/states.tsx';

interface Props<Content> {
  readonly title: string;
  /** The label of the button, such as "Create the key". */
  readonly submit: string;
  readonly kind?: ButtonKind;
  readonly ready?: boolean;
  readonly wide?: boolean;
  readonly children: ReactNode;
  /** Formats the error if the API refuses the change. */
  readonly wordsOf?: (error: Error) => string;
  readonly action: () => Promise<Content>;
  readonly onDone: (content: Content) => void;
  readonly onClose: () => void;
}

/** A dialog with a form that makes a change. If the API refuses the change, it says why. */
export function FormDialog<Content>(props: Props<Content>) {
  const { title, submit, kind = 'primary', ready = true, wide, children, action, onDone, onClose } = props;
  const { wordsOf = (error) => error.message } = props;
  const sending = useMutation({ mutationFn: action, onSuccess: onDone });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <Dialog title={title} open onClose={onClose} wide={wide}>
      <form onSubmit={onSubmit}>
        <DialogBody>
          {children}
          {sending.error !== null && (
            <Note tone="failed">
              <span role="alert">{wordsOf(sending.error)}</span>
            </Note>
          )}
        </DialogBody>
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} type="submit" disabled={!ready || sending.isPending}>
            {sending.isPending ? 'Sending…' : submit}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
