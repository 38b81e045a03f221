import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Code, CopyButton } from '../controls/copy.tsx';
import { Note } from '../page/states.tsx';
import { Dialog, DialogBody, DialogFoot } from './dialog.tsx';
import styles from './secret-dialog.module.css';

interface Props {
  readonly title: string;
  readonly secret: string;
  /** Why it is not shown again. */
  readonly warning: string;
  /** Where to put it. */
  readonly advice: ReactNode;
  /** A command that uses it, and what for. */
  readonly command: string;
  readonly commandTitle: string;
  readonly commandLabel: string;
  /** What to know before it is used elsewhere. */
  readonly commandNote?: ReactNode;
  readonly onClose: () => void;
}

/** Shows a secret, this once, and asks before it is closed uncopied: then only the button for that closes it. */
export function SecretDialog(props: Props) {
  const { title, secret, warning, advice, command, commandTitle, commandLabel, commandNote, onClose } = props;
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const close = () => (copied ? onClose() : setAsking(true));
  const noteCopy = () => {
    setCopied(true);
    setAsking(false);
  };
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
        {asking && (
          <Note tone="failed">
            <span role="alert">You have not copied it. Once you close this, it cannot be shown again.</span>
          </Note>
        )}
      </DialogBody>
      <DialogFoot>
        {asking ? (
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
        )}
      </DialogFoot>
    </Dialog>
  );
}
