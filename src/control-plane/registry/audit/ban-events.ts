import type { BanView } from '../../../data-plane/ports.ts';
import type { NewEvent } from '../../events/event.ts';
import { gatewayEvent } from '../../events/gateway-event.ts';
import type { Credential } from '../../../base/credential.ts';
import type { ChangeContext } from './audit-entry.ts';
import { banRecord } from './ban-record.ts';

type Whose = Pick<Credential, 'keyId' | 'quotaId' | 'owner'>;
type Why = Pick<ChangeContext, 'reason' | 'at'>;

export function bannedEvent(whose: Whose, ban: BanView, why: Why): NewEvent {
  return banEvent('key.banned', whose, ban, why);
}

/** Of one that no operator set: told once, whichever gateway notices it. */
export function automaticBanEvent(whose: Whose, ban: BanView, why: Why): NewEvent {
  return { ...bannedEvent(whose, ban, why), uniqueKey: `key.banned ${whose.quotaId} ${ban.from}` };
}

/** Told once for each ban. @param ended the ban that was lifted, as it was to go on */
export function unbannedEvent(whose: Whose, ended: BanView, why: Why): NewEvent {
  const { from, until } = ended;
  return {
    ...banEvent('key.unbanned', whose, ended, why),
    uniqueKey: `key.unbanned ${whose.quotaId} ${from} ${until}`,
  };
}

function banEvent(
  type: 'key.banned' | 'key.unbanned',
  { keyId, quotaId, owner }: Whose,
  ban: BanView,
  { reason, at }: Why,
): NewEvent {
  return gatewayEvent(type, { keyId, quotaId, ...banRecord(ban), reason }, { subject: keyId, owner, at });
}
