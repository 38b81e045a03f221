import type { Limits } from '../../admission/decide.ts';

/** Responses of the admin API about the history; times are RFC 3339. */

export interface FiguresAnswer {
  readonly requests: number;
  readonly units: number;
  readonly refused: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface PointAnswer extends FiguresAnswer {
  readonly at: string;
}

export interface SeriesAnswer {
  readonly group: string | null;
  readonly totals: FiguresAnswer;
  /** Intervals without requests are left out. */
  readonly points: readonly PointAnswer[];
}

export interface UsageHistoryAnswer {
  readonly from: string;
  readonly to: string;
  readonly every: 'minute' | 'hour' | 'day';
  readonly series: readonly SeriesAnswer[];
  readonly others: FiguresAnswer | null;
}

export interface ExplanationAnswer {
  readonly requestId: string;
  readonly refusals: readonly {
    readonly at: string;
    readonly keyId: string;
    readonly sentences: readonly string[];
  }[];
}

export interface ExcessAnswer {
  readonly count: number;
  readonly peak: number;
}

export interface PreviewAnswer {
  readonly plan: string;
  readonly limits: Limits;
  readonly minutesFrom: string;
  readonly daysFrom: string;
  readonly keysAbove: number;
  /** The worst of them. */
  readonly keys: readonly {
    readonly key: string;
    readonly owner: string;
    readonly minutes: ExcessAnswer;
    readonly days: ExcessAnswer;
  }[];
}

export interface DeletedAnswer {
  readonly owner: string;
  readonly keys: number;
  readonly rows: number;
}
