import { useState } from 'react';
import { ApiError } from '../../../shared/transport/error.ts';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import { GraceField, USUAL_GRACE_SECONDS } from '../../../shared/ui/controls/grace-field.tsx';
import { createKey, type Key, type KeyWithSecret, renameKey, revokeKey, rotateKey } from '../../api/keys.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';

const MAX_NAME_LENGTH = 128;

interface Props<Answer> {
  readonly subject: Key;
  readonly onClose: () => void;
  readonly onDone: (answer: Answer) => void;
}

export function CreateKeyDialog({ onClose, onDone }: Omit<Props<KeyWithSecret>, 'subject'>) {
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="Make a key"
      submit="Make the key"
      ready={name.trim() !== ''}
      action={() => createKey(name.trim())}
      wordsOf={(error) =>
        error instanceof ApiError && error.code === 'too_many_keys'
          ? 'You have as many keys as you may have. Revoke one that you do not need, or replace its secret.'
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

export function RotateDialog({ subject, onClose, onDone }: Props<KeyWithSecret>) {
  const [graceSeconds, setGraceSeconds] = useState(USUAL_GRACE_SECONDS);
  return (
    <FormDialog
      title="Replace the secret"
      submit="Replace"
      action={() => rotateKey(subject.id, graceSeconds)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        You get a new secret for <bdi>{subject.name}</bdi>. The old one works for a while longer, so that you can change
        over without a gap. Limits and counters stay the same.
      </p>
      <GraceField label="The old secret works for" value={graceSeconds} onChange={setGraceSeconds} />
    </FormDialog>
  );
}

export function RevokeDialog({ subject, onClose, onDone }: Props<Key>) {
  return (
    <FormDialog
      title="Revoke the key"
      submit="Revoke for good"
      kind="danger"
      action={() => revokeKey(subject.id)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Calls with <bdi>{subject.name}</bdi> are refused with 401 from now on. <strong>This cannot be undone.</strong>{' '}
        Its history stays.
      </p>
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
