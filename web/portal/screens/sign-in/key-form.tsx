import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, isStatus } from '../../../shared/transport/error.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import { TextField } from '../../../shared/ui/controls/field.tsx';
import styles from '../../../shared/ui/page/card-page.module.css';
import { signIn } from '../../api/session.ts';
import { useBeginSession } from '../../session/begin-session.ts';

interface Props {
  readonly primary: boolean;
  readonly hint: string;
}

/**
 * A form that signs in with a key. Such a session shows the usage of the key and can try calls, but cannot change
 * anything.
 */
export function KeyForm({ primary, hint }: Props) {
  const [key, setKey] = useState('');
  const attempt = useMutation({
    mutationFn: () => signIn({ key: key.trim() }),
    onSuccess: useBeginSession(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="API key"
        type="password"
        hint={hint}
        required
        autoComplete="off"
        value={key}
        error={attempt.error === null ? undefined : refusal(attempt.error)}
        onChange={setKey}
      />
      <Button kind={primary ? 'primary' : 'plain'} type="submit" disabled={attempt.isPending || key.trim() === ''}>
        {attempt.isPending ? 'Signing in…' : 'Sign in with this key'}
      </Button>
    </form>
  );
}

function refusal(error: Error): string {
  if (error instanceof ApiError && error.code === 'key_invalid') {
    return 'Unknown key. Check that you pasted all of it.';
  }
  if (isStatus(error, 429)) return 'Too many attempts with an invalid key. Wait a minute, then try again.';
  return error.message;
}
