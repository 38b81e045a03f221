import type { Accounts } from '../../../accounts/accounts.ts';
import type { AdminOperations } from '../../operation.ts';
import { accountOperations } from './accounts.ts';
import { planRequestOperations } from './plan-requests.ts';

export interface AccountSettings {
  readonly accounts: Accounts;
  /** Where consumers open the portal; null if there is none. */
  readonly portalUrl: () => string | null;
}

export function allAccountOperations({ accounts, portalUrl }: AccountSettings): AdminOperations {
  return { ...accountOperations(accounts, portalUrl), ...planRequestOperations(accounts) };
}
