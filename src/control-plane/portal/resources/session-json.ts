import type { AccountSession, SignedIn } from '../../accounts/account-sessions.ts';
import { toDateTime } from '../../../base/time.ts';
import { accountJson } from './account.ts';
import type { Schemas } from './portal-handlers.ts';
import { keyJson } from './portal-key-json.ts';

export function whoamiJson({ account, key, session }: SignedIn): Schemas['Whoami'] {
  return {
    account: account && accountJson(account),
    key: key && keyJson(key),
    session: sessionJson(session, session),
  };
}

/** @param own the session of the request */
export function sessionJson(session: AccountSession, own: AccountSession): Schemas['Session'] {
  const { id, user, address, userAgent, ...times } = session;
  return {
    id,
    method: user.method,
    address,
    userAgent,
    createdAt: toDateTime(times.createdAt),
    lastSeenAt: toDateTime(times.seenAt),
    expiresAt: toDateTime(times.expiresAt),
    current: id === own.id,
  };
}
