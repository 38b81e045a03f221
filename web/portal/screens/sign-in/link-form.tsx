import { useMutation } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useContext } from 'react';
import { Button } from '../../../shared/ui/controls/button.tsx';
import styles from '../../../shared/ui/page/card-page.module.css';
import { Note } from '../../../shared/ui/page/states.tsx';
import { signIn } from '../../api/session.ts';
import { useBeginSession } from '../../session/begin-session.ts';
import { ArrivalContext } from '../../session/session-context.ts';

interface Props {
  readonly token: string;
  readonly name: string;
  /** True if there is already a session, which will end. It is one of another account or of a key. */
  readonly isSignedIn: boolean;
}

/** Asks before it uses up the link, because mail scanners open links, but press no buttons. */
export function LinkForm({ token, name, isSignedIn }: Props) {
  const { dismiss } = useContext(ArrivalContext);
  const attempt = useMutation({
    mutationFn: () => signIn({ token }),
    onSuccess: useBeginSession(),
  });
  return (
    <div className={styles.form}>
      <h1>Welcome</h1>
      <p>
        This link signs you in as{' '}
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        and works only once.{isSignedIn && ' Your current session will end.'}
      </p>
      {attempt.error !== null && <Note tone="refused">{attempt.error.message}</Note>}
      <Button kind="primary" icon={LogIn} disabled={attempt.isPending} onClick={() => attempt.mutate()}>
        <span>
          Sign in as <bdi>{name}</bdi>
        </span>
      </Button>
      <Button kind="quiet" onClick={dismiss}>
        {isSignedIn ? 'Keep my current session' : 'Not me'}
      </Button>
    </div>
  );
}
