import type { Endpoint, Refusal } from '../../data-plane/ports.ts';
import type { Clock } from '../../base/time.ts';
import type { ErrorDetail } from '../../base/error-codes.ts';
import type { HistoryStore, UsageQuery } from '../history/reports.ts';
import { PeriodFault, readPeriod } from '../history/period.ts';
import { usageReportJson } from '../history/report-json.ts';
import type { Retention } from '../history/retention.ts';

const KNOWN = ['from', 'to', 'every', 'by', 'limit'];
const GROUPINGS = ['operation', 'outcome'] as const;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** What was called with the key, or with those that it replaced or that replaced it, and how it went. */
export function usageHistoryEndpoint(history: HistoryStore, keep: Retention, clock: Clock): Endpoint {
  return async function usageHistory({ credential, query }) {
    const wanted = readQuery(query, keep, clock());
    if ('code' in wanted) return wanted;
    return JSON.stringify(usageReportJson(await history.usage({ ...wanted, chainOf: credential.keyId })));
  };
}

function readQuery(text: string, keep: Retention, now: number): UsageQuery | Refusal {
  const given = new URLSearchParams(text);
  const details = namesFaults(given);
  const by = GROUPINGS.find((grouping) => grouping === given.get('by'));
  if (given.has('by') && by === undefined) details.push(at('by', `must be one of ${GROUPINGS.join(', ')}`));
  const limit = Number(given.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    details.push(at('limit', `must be a whole number from 1 to ${MAX_LIMIT}`));
  }
  if (details.length > 0) return { code: 'validation_failed', details };
  const [from, to, every] = ['from', 'to', 'every'].map((name) => given.get(name) ?? undefined);
  try {
    const period = readPeriod({ from, to, every }, keep, now, by === undefined ? 1 : limit);
    return { ...period, ...(by === undefined ? {} : { by }), limit, now };
  } catch (error) {
    if (!(error instanceof PeriodFault)) throw error;
    return { code: 'validation_failed', details: [at(error.field, error.message)] };
  }
}

/** A misspelt parameter that was ignored would be answered with something else than was asked for. */
function namesFaults(given: URLSearchParams): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const name of new Set(given.keys())) {
    if (!KNOWN.includes(name)) details.push(at(name.slice(0, 100), `is not known here; known are ${KNOWN.join(', ')}`));
    else if (given.getAll(name).length > 1) details.push(at(name, 'is given more than once'));
  }
  return details;
}

function at(name: string, message: string): ErrorDetail {
  return { path: `/query/${name}`, message };
}
