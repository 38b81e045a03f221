export type PlanRequestStatus = 'open' | 'approved' | 'declined';

/** An account asks for another plan; an operator decides. Times are milliseconds since the Unix epoch. */
export interface PlanRequest {
  /** `plr_` and 20 random base62 characters. */
  readonly id: string;
  readonly accountId: string;
  /** The plan asked for. */
  readonly plan: string;
  /** What the consumer says for it; may be empty. */
  readonly message: string;
  readonly status: PlanRequestStatus;
  /** What the operator says to the consumer. */
  readonly reason: string | null;
  readonly createdAt: number;
  /** Both null while it is open. */
  readonly decidedAt: number | null;
  readonly decidedBy: string | null;
}

export type NewPlanRequest = Pick<PlanRequest, 'plan' | 'message'>;

export interface PlanRequestFilter {
  readonly status?: PlanRequestStatus | undefined;
  readonly accountId?: string | undefined;
}
