import type { Clock } from '../../../base/time.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { PublicUrl } from '../../sign-in/browser-session.ts';
import type { CountFailedAttempt } from '../../api-server/failed-attempts.ts';
import type { AddressLimiter } from '../../../http/call-limiter.ts';
import type { ClientAddress } from '../../../http/addresses.ts';
import type { LimitRequests } from './caller-limits.ts';

/** Dependencies of sign-in and sessions. */
export interface PortalAccessDependencies {
  readonly accounts: Accounts;
  readonly addressLimiter: AddressLimiter;
  readonly limitRequests: LimitRequests;
  readonly countFailedAttempt: CountFailedAttempt;
  /** `portal.url`. */
  readonly publicUrl: PublicUrl;
  readonly clientAddress: ClientAddress;
  readonly clock: Clock;
}
