import { formatKeyPreview } from '../../../shared/format/key-preview.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../shared/transport/error.ts';
import { AddressesField } from '../../../shared/ui/controls/addresses-field.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { type KeyGrace, KeyGraceField, USUAL_GRACE } from '../../../shared/ui/controls/grace-field.tsx';
import { parseList, formatList } from '../../../shared/format/list.ts';
import { createPredecessorFinder } from '../../../shared/format/nested-keys.ts';
import { pluralize } from '../../../shared/format/number.ts';
import { formatLongDuration } from '../../../shared/format/time.ts';
import { Moment, Time, useNow } from '../../../shared/ui/data/time.tsx';
import { callLimitsQuery } from '../../api/front.ts';
import {
  createKey,
  isWorking,
  type Key,
  type KeyWithSecret,
  renameKey,
  restrictKey,
  revokeKey,
  rotateKey,
} from '../../api/keys.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import styles from './keys-screen.module.css';

const MAX_NAME_LENGTH = 128;

interface Props<Content> {
  readonly subject: Key;
  readonly onClose: () => void;
  readonly onDone: (content: Content) => void;
}

export function CreateKeyDialog({ onClose, onDone }: Omit<Props<KeyWithSecret>, 'subject'>) {
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="Create a key"
      submit="Create the key"
      ready={name.trim() !== ''}
      action={() => createKey(name.trim())}
      wordsOf={(error) =>
        error instanceof ApiError && error.code === 'too_many_keys'
          ? 'You have reached the maximum number of keys. Revoke one that you no longer need, or rotate one instead of creating another.'
          : error.message
      }
      onDone={onDone}
      onClose={onClose}
    >
      <NameField value={name} hint="What it is for, such as “Shop backend”." onChange={setName} />
    </FormDialog>
  );
}

export function RenameDialog({ subject, onClose, onDone }: Props<Key>) {
  const [name, setName] = useState(subject.name);
  return (
    <FormDialog
      title="Rename the key"
      submit="Rename"
      ready={name.trim() !== ''}
      action={() => renameKey(subject.id, name.trim())}
      onDone={onDone}
      onClose={onClose}
    >
      <NameField value={name} hint="The key itself stays the same." onChange={setName} />
    </FormDialog>
  );
}

export function AddressesDialog({ subject, onClose, onDone }: Props<Key>) {
  const [addresses, setAddresses] = useState(formatList(subject.addresses));
  return (
    <FormDialog
      title="Allowed addresses"
      submit="Save"
      action={() => restrictKey(subject.id, parseList(addresses))}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        If you restrict the key to the IP addresses of your servers, a leaked key cannot be used elsewhere. Calls from
        other addresses return <code>403 address_not_allowed</code>.
      </p>
      <AddressesField value={addresses} onChange={setAddresses} />
    </FormDialog>
  );
}

export function RotateDialog({ subject, onClose, onDone }: Props<KeyWithSecret>) {
  const [grace, setGrace] = useState<KeyGrace>(USUAL_GRACE);
  const limits = useQuery(callLimitsQuery).data?.keys;
  const endsAtOnce = 'graceSeconds' in grace && grace.graceSeconds === 0;
  return (
    <FormDialog
      title="Rotate the key"
      submit="Rotate"
      kind={endsAtOnce ? 'danger' : 'primary'}
      action={() => rotateKey(subject.id, grace)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        You get a new secret for <bdi>{subject.name}</bdi>. <EndOfOld grace={grace} /> Limits and counters stay the
        same.
      </p>
      <KeyGraceField value={grace} quietEnd={quietEnd(limits)} onChange={setGrace} />
    </FormDialog>
  );
}

function EndOfOld({ grace }: { readonly grace: KeyGrace }) {
  const now = useNow();
  if (!('graceSeconds' in grace)) return 'The old one keeps working, so that you can switch without interruption.';
  if (grace.graceSeconds === 0) return 'Calls with the old one get 401 immediately.';
  return (
    <>
      The old one keeps working until <Moment at={now + grace.graceSeconds * 1000} />, so that you can switch without
      interruption.
    </>
  );
}

/**
 * Says when a replaced secret stops working if it is valid while it is in use. Until the limits are loaded, the text
 * names no periods.
 */
function quietEnd(limits: { readonly quietSeconds: number; readonly maxGraceSeconds: number } | undefined): string {
  if (limits === undefined) return 'has not been used for some time';
  const [quiet, most] = [limits.quietSeconds, limits.maxGraceSeconds].map((seconds) =>
    formatLongDuration(seconds * 1000),
  );
  return `has not been used for ${quiet}, after ${most} at the latest`;
}

export function RevokeDialog({ subject, keys, onClose, onDone }: Props<Key> & { readonly keys: readonly Key[] }) {
  const now = useNow();
  const predecessors = createPredecessorFinder(keys)(subject).filter((key) => isWorking(key, now));
  const [onlyThis, setOnlyThis] = useState(false);
  const dying = onlyThis ? [subject] : [subject, ...predecessors];
  return (
    <FormDialog
      title="Revoke the key"
      submit="Revoke permanently"
      kind="danger"
      action={() => revokeKey(subject.id, !onlyThis)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Calls with {dying.length === 1 ? 'this secret' : 'these secrets'} will be refused with 401.{' '}
        <strong>This cannot be undone.</strong>
      </p>
      <ul className={styles.dying}>
        {dying.map((key) => (
          <li key={key.id}>
            <bdi>{key.name}</bdi> <code>{formatKeyPreview(key)}</code>,{' '}
            {key.lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <Time at={key.lastUsedAt} />
              </>
            )}
          </li>
        ))}
      </ul>
      {predecessors.length > 0 && (
        <label className={styles.only}>
          <input type="checkbox" checked={onlyThis} onChange={(event) => setOnlyThis(event.target.checked)} />
          Revoke only the new secret. {pluralize(predecessors.length, 'old secret')} still in{' '}
          {predecessors.length === 1 ? 'its' : 'their'} grace period stay{predecessors.length === 1 ? 's' : ''} active.
        </label>
      )}
    </FormDialog>
  );
}

interface NameFieldProps {
  readonly value: string;
  readonly hint: string;
  readonly onChange: (name: string) => void;
}

function NameField({ value, hint, onChange }: NameFieldProps) {
  return <TextField label="Name" hint={hint} required maxLength={MAX_NAME_LENGTH} value={value} onChange={onChange} />;
}
