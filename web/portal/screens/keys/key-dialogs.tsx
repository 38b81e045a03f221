import { useState } from 'react';
import { spokenDuration } from '../../../shared/format/time.ts';
import { ApiError } from '../../../shared/transport/error.ts';
import { SelectField, TextField } from '../../../shared/ui/controls/field.tsx';
import { createKey, type Key, type KeyWithSecret, renameKey, revokeKey, rotateKey } from '../../api/keys.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';

const MAX_NAME_LENGTH = 128;
const GRACES_SECONDS = [0, 3600, 86_400, 7 * 86_400, 30 * 86_400];

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
  const [graceSeconds, setGraceSeconds] = useState(86_400);
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
      <SelectField
        label="The old secret works for"
        value={String(graceSeconds)}
        options={GRACES_SECONDS.map((each) => ({
          value: String(each),
          label: each === 0 ? 'not a moment longer: it has leaked' : spokenDuration(each * 1000),
        }))}
        onChange={(value) => setGraceSeconds(Number(value))}
      />
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
