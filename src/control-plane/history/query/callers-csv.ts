import { csvLine } from '../../../base/csv-line.ts';

/** A caller of an operation as the API answers it: times in RFC 3339. */
export interface CallerJson {
  readonly key: string;
  /** Null: the key is unknown by now. */
  readonly owner: string | null;
  readonly plan: string | null;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly requests: number;
}

export function callersCsv(callers: readonly CallerJson[]): string {
  const rows = callers.map(({ key, owner, plan, firstAt, lastAt, requests }) => {
    return [key, owner, plan, firstAt, lastAt, requests];
  });
  return [['key', 'owner', 'plan', 'firstAt', 'lastAt', 'requests'], ...rows].map(csvLine).join('');
}
