import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { SESSION_KEY } from '../../../shared/transport/query-client.ts';
import { Button } from '../../../shared/ui/controls/button.tsx';
import styles from '../../../shared/ui/page/card-page.module.css';
import { Note } from '../../../shared/ui/page/states.tsx';
import { signIn } from '../../api/session.ts';

interface Props {
  readonly token: string;
  readonly name: string;
  readonly onDismiss: () => void;
}

/** Asks before the link is spent: scanners of mail open links, but press no buttons. */
export function LinkForm({ token, name, onDismiss }: Props) {
  const queries = useQueryClient();
  const attempt = useMutation({
    mutationFn: () => signIn({ token }),
    onSuccess: (session) => queries.setQueryData(SESSION_KEY, session),
  });
  return (
    <div className={styles.form}>
      <h1>Welcome</h1>
      <p>
        This link signs you in as{' '}
        <strong>
          <bdi>{name}</bdi>
        </strong>
        . It works once.
      </p>
      {attempt.error !== null && <Note tone="refused">{attempt.error.message}</Note>}
      <Button kind="primary" icon={LogIn} disabled={attempt.isPending} onClick={() => attempt.mutate()}>
        <span>
          Sign in as <bdi>{name}</bdi>
        </span>
      </Button>
      <Button kind="quiet" onClick={onDismiss}>
        That is not me
      </Button>
    </div>
  );
}
