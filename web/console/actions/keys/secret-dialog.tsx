import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { Code, CopyButton } from '../../../shared/ui/controls/copy.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../../shared/ui/overlays/dialog.tsx';
import { Note } from '../../../shared/ui/page/states.tsx';
import type { KeyWithSecret } from '../../api/key-changes.ts';
import styles from './secret-dialog.module.css';

/** Shows a secret, this once, and asks before it is closed uncopied. */
export function SecretDialog({ secret, onClose }: { readonly secret: KeyWithSecret; readonly onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const close = () => (copied || asking ? onClose() : setAsking(true));
  return (
    <Dialog title="The new key" open onClose={close} wide>
      <DialogBody>
        <Note tone="refused" icon={ShieldAlert}>
          <strong>This is shown once.</strong> The gateway keeps only a hash of it. Copy it now, to where the consumer
          finds it.
        </Note>
        <div className={styles.secret}>
          <code>{secret.key}</code>
          <CopyButton text={secret.key} onCopied={() => setCopied(true)} />
        </div>
        <div className={styles.example}>
          <h3>To call with it</h3>
          <Code text={`curl -H 'X-API-Key: ${secret.key}' "$GATEWAY_URL/"`} label="Copy the curl line" />
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
