import type { Database } from '../../../storage/database.ts';
import type { ChangeContext } from '../../registry/audit/audit-log.ts';
import type { Page, PageRequest } from '../../../base/records/paging.ts';
import { makeChange, type WriteContext } from '../../registry/write-context.ts';
import type { NewPlanRequest, PlanRequest, PlanRequestFilter } from './plan-request.ts';
import { approveRequest, createRequest, declineRequest, withdrawRequest } from './plan-request-changes.ts';
import { listRequests, requestById } from './plan-request-rows.ts';

/** Requests for another plan. Errors are those of `Accounts`. */
export class PlanRequests {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(id: string): Promise<PlanRequest | null> {
    return this.#database.read((queries) => requestById(queries, id));
  }

  /** Newest first. */
  list(filter: PlanRequestFilter, page: PageRequest): Promise<Page<PlanRequest>> {
    return this.#database.read((queries) => listRequests(queries, filter, page));
  }

  /**
   * Refused with `account_not_found`, `plan_not_found`, `limits_mismatch` (a custom plan), `conflict` (it is the
   * account's plan already, or the account is disabled) and `plan_request_open` (an account has one open request at
   * most).
   */
  create(accountId: string, request: NewPlanRequest, change: ChangeContext): Promise<PlanRequest> {
    return this.#change(change, (context) => createRequest(context, accountId, request));
  }

  /** Deletes an open request of this account. `plan_request_not_found` if it is not one; `conflict` if it is decided. */
  withdraw(accountId: string, id: string, change: ChangeContext): Promise<void> {
    return this.#change(change, (context) => withdrawRequest(context, accountId, id));
  }

  /**
   * Gives the account the plan, and so its keys. `change.reason` is told to the consumer. Refused with
   * `plan_request_not_found`, `conflict` (decided already) and what `Accounts.update` refuses.
   */
  approve(id: string, change: ChangeContext): Promise<PlanRequest> {
    return this.#change(change, (context) => approveRequest(context, id));
  }

  decline(id: string, change: ChangeContext): Promise<PlanRequest> {
    return this.#change(change, (context) => declineRequest(context, id));
  }

  #change<T>(change: ChangeContext, work: (context: WriteContext) => Promise<T>): Promise<T> {
    return makeChange(this.#database, change, work);
  }
}
