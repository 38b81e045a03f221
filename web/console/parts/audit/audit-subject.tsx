import { Link } from '@tanstack/react-router';
import { shortenId } from '../../../shared/format/id.ts';
import type { AuditEntry } from '../../api/audit.ts';
import { ACCOUNT_PREFIX } from '../../api/keys.ts';
import { AccountLink } from '../account-link.tsx';
import { KeyLink } from '../keys/key-link.tsx';
import { PlanLink } from '../plan-link.tsx';
import { WebhookName } from '../webhooks/webhook-name.tsx';

/** Links to the subject of a change. If that is a quota, the link is to the key by which it was selected. */
export function AuditSubject({ entry: { subject, action, after } }: { readonly entry: AuditEntry }) {
  const keyId = after?.['keyId'];
  const name = after?.['name'];
  const accountId = after?.['accountId'];
  if (subject.startsWith('bulk_')) return <BulkLink id={subject} />;
  if (/^plans?\./.test(action)) return <PlanLink id={subject} />;
  if (subject.startsWith('key_')) return <KeyLink id={subject} withOwner />;
  if (typeof keyId === 'string' && keyId.startsWith('key_')) return <KeyLink id={keyId} withOwner />;
  if (subject.startsWith(ACCOUNT_PREFIX)) return <AccountLink id={subject} />;
  if (action.startsWith('account_request.') && typeof name === 'string') return <bdi title={subject}>{name}</bdi>;
  if (action.startsWith('plan_request.') && typeof accountId === 'string') return <AccountLink id={accountId} />;
  if (subject.startsWith('whk_')) return <WebhookName id={subject} />;
  return <bdi title={subject}>{/^[a-z]+_\w{12,}$/.test(subject) ? shortenId(subject) : subject}</bdi>;
}

/** Names who made a change: a token, a person, or the account or key that was signed in. */
export function AuditActor({ entry: { actor } }: { readonly entry: AuditEntry }) {
  if (actor.startsWith(ACCOUNT_PREFIX)) return <AccountLink id={actor} />;
  if (actor.startsWith('key_')) return <KeyLink id={actor} withOwner />;
  return <bdi>{actor}</bdi>;
}

/** Links to all changes that belong to one bulk change. */
export function BulkLink({ id }: { readonly id: string }) {
  return (
    <Link to="/audit" search={{ bulkId: id }} title={id}>
      <code>{shortenId(id)}</code>
    </Link>
  );
}
