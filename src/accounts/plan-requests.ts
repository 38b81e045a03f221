import type { Database } from '../database/database.ts';
import type { ChangeContext } from '../registry/audit/audit-entry.ts';
import type { Page, PageRequest } from '../registry/paging.ts';
import type { NewPlanRequest, PlanRequest, PlanRequestFilter } from './plan-request.ts';

/** Requests for another plan. Errors are those of `Accounts`. */
export class PlanRequests {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(_id: string): Promise<PlanRequest | null> {
    return todo(this.#database);
  }

  /** Newest first. */
  list(_filter: PlanRequestFilter, _page: PageRequest): Promise<Page<PlanRequest>> {
    return todo(this.#database);
  }

  /**
   * Refused with `account_not_found`, `plan_not_found`, `limits_mismatch` (a custom plan), `conflict` (it is the
   * account's plan already, or the account is disabled) and `plan_request_open` (an account has one open request at
   * most).
   */
  create(_accountId: string, _request: NewPlanRequest, _change: ChangeContext): Promise<PlanRequest> {
    return todo(this.#database);
  }

  /** Deletes an open request of this account. `plan_request_not_found` if it is not one; `conflict` if it is decided. */
  withdraw(_accountId: string, _id: string, _change: ChangeContext): Promise<void> {
    return todo(this.#database);
  }

  /**
   * Gives the account the plan, and so its keys. `change.reason` is told to the consumer. Refused with
   * `plan_request_not_found`, `conflict` (decided already) and what `Accounts.update` refuses.
   */
  approve(_id: string, _change: ChangeContext): Promise<PlanRequest> {
    return todo(this.#database);
  }

  decline(_id: string, _change: ChangeContext): Promise<PlanRequest> {
    return todo(this.#database);
  }
}

function todo(_database: Database): never {
  throw new Error('not yet');
}
