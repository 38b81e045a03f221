import { Link } from '@tanstack/react-router';
import { BookOpen, KeyRound } from 'lucide-react';
import { useNow } from '../../../shared/ui/data/time.tsx';
import { ButtonContent, buttonClass } from '../../../shared/ui/controls/button.tsx';
import type { Key } from '../../api/keys.ts';
import type { QuotaUsage } from '../../api/usage.ts';
import parts from '../../parts/parts.module.css';
import { useSession } from '../../session/session-context.ts';

interface Props {
  readonly keys: readonly Key[];
  readonly quotas: readonly QuotaUsage[];
}

/** The first steps: to create a key, and to call with it. Renders nothing once a key was used. */
export function FirstSteps({ keys, quotas }: Props) {
  const { canChange } = useSession();
  const now = useNow();
  const works = ({ status, expiresAt }: Key) =>
    status === 'active' && (expiresAt === null || Date.parse(expiresAt) > now);
  // Also check the counts. They include a call immediately, but the time of the last use is stored a while later.
  const isUsed = quotas.some(({ windows }) => windows.some(({ used }) => used > 0));
  if (isUsed || keys.some(({ lastUsedAt }) => lastUsedAt !== null)) return null;
  const hasKey = keys.some(works);
  if (!hasKey && !canChange) return null;
  return (
    <section className={parts.card} aria-label="First steps">
      <h2>{hasKey ? 'Make your first request' : 'Create your first key'}</h2>
      <p className={parts.muted}>
        {hasKey
          ? 'Your key has not been used yet. In the reference, you can send a test request or copy sample code.'
          : 'A key identifies your application to the API. Its secret is shown only once.'}
      </p>
      <div className={parts.actions}>
        {hasKey ? (
          <Link to="/reference" className={buttonClass('primary')}>
            <ButtonContent icon={BookOpen}>Try a call</ButtonContent>
          </Link>
        ) : (
          <Link to="/keys" search={{ do: 'create' }} className={buttonClass('primary')}>
            <ButtonContent icon={KeyRound}>Create a key</ButtonContent>
          </Link>
        )}
        <Link to="/docs/$page" params={{ page: 'getting-started' }} className={buttonClass('plain')}>
          Getting started
        </Link>
      </div>
    </section>
  );
}
