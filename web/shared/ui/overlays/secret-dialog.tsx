import { Check, Copy, ShieldAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Code, CopyButton, useCopy } from '../controls/copy.tsx';
import { Note } from '../page/states.tsx';
import { Dialog, DialogBody, DialogFoot } from './dialog.tsx';
import styles from './secret-dialog.module.css';

interface Props {
  readonly title: string;
  readonly secret: string;
  /** Says why the secret is not shown again. */
  readonly warning: string;
  /** Says where to store the secret. */
  readonly advice: ReactNode;
  /** A command that uses the secret. */
  readonly command: string;
  readonly commandTitle: string;
  readonly commandLabel: string;
  /** Says how to use the secret without the command that is shown. */
  readonly commandNote?: ReactNode;
  /** A message to the person who gets the secret, to copy. */
  readonly message?: string;
  readonly onClose: () => void;
}

/**
 * Asks before the user closes a dialog without having copied the secret, which is shown only once. While the question
 * is shown, only its button closes the dialog.
 */
export function useUncopied(onClose: () => void) {
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const close = () => (copied ? onClose() : setAsking(true));
  return {
    close,
    noteCopy: () => {
      setCopied(true);
      setAsking(false);
    },
    warning: asking && (
      <Note tone="failed">
        <span role="alert">You have not copied it. Once you close this, it cannot be shown again.</span>
      </Note>
    ),
    buttons: asking ? (
      <>
        <Button kind="danger" onClick={onClose}>
          Close without copying
        </Button>
        <Button onClick={() => setAsking(false)}>Back</Button>
      </>
    ) : (
      <Button kind="primary" onClick={close}>
        Done
      </Button>
    ),
  };
}

/** Shows a secret that is not shown again. */
export function SecretDialog(props: Props) {
  const { title, secret, warning, advice, command, commandTitle, commandLabel, commandNote, message, onClose } = props;
  const { close, noteCopy, warning: uncopied, buttons } = useUncopied(onClose);
  return (
    <Dialog title={title} open onClose={close} wide>
      <DialogBody>
        <Note tone="refused" icon={ShieldAlert}>
          <strong>This is shown only once.</strong> {warning} {advice}
        </Note>
        <div className={styles.secret} onCopy={noteCopy}>
          <code>{secret}</code>
          <CopyButton text={secret} onCopied={noteCopy} isFirst />
        </div>
        <div className={styles.example} onCopy={noteCopy}>
          <h3>{commandTitle}</h3>
          <Code text={command} label={commandLabel} onCopied={noteCopy} />
          {commandNote && <p>{commandNote}</p>}
        </div>
        {message !== undefined && <CopyMessage text={message} onCopied={noteCopy} />}
        {uncopied}
      </DialogBody>
      <DialogFoot>{buttons}</DialogFoot>
    </Dialog>
  );
}

function CopyMessage({ text, onCopied }: { readonly text: string; readonly onCopied: () => void }) {
  const [copied, copy] = useCopy(text, onCopied);
  return (
    <div>
      <Button icon={copied ? Check : Copy} onClick={copy}>
        {copied ? 'Copied' : 'Copy a message with the key and its limits'}
      </Button>
    </div>
  );
}
