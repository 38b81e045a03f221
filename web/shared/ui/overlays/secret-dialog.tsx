import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Code, CopyButton } from '../controls/copy.tsx';
import { Note } from '../page/states.tsx';
import { Dialog, DialogBody, DialogFoot } from './dialog.tsx';
import styles from './secret-dialog.module.css';

interface Props {
  readonly secret: string;
  /** Where to put it. */
  readonly advice: ReactNode;
  /** A command that calls with it. */
  readonly command: string;
  readonly onClose: () => void;
}

/** Shows a secret, this once, and asks before it is closed uncopied: then only the button for that closes it. */
export function SecretDialog({ secret, advice, command, onClose }: Props) {
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const close = () => (copied ? onClose() : setAsking(true));
  const noteCopy = () => {
    setCopied(true);
    setAsking(false);
  };
  return (
    <Dialog title="The new key" open onClose={close} wide>
      <DialogBody>
        <Note tone="refused" icon={ShieldAlert}>
          <strong>This is shown once.</strong> The gateway keeps only a hash of it. {advice}
        </Note>
        <div className={styles.secret} onCopy={noteCopy}>
          <code>{secret}</code>
          <CopyButton text={secret} onCopied={noteCopy} />
        </div>
        <div className={styles.example} onCopy={noteCopy}>
          <h3>To call with it</h3>
          <Code text={command} label="Copy the curl line" onCopied={noteCopy} />
        </div>
        {asking && (
          <Note tone="failed">
            <span role="alert">It was not copied. Once this is closed, nobody can see it again.</span>
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
