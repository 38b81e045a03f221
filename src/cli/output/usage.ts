import type { UsageAnswer } from '../admin/answers.ts';
import { table } from './table.ts';
import { time } from './format.ts';

const COLUMNS = [
  { title: 'WINDOW', whole: true },
  { title: 'USED', whole: true, right: true },
  { title: 'LIMIT', whole: true, right: true },
  { title: 'REMAINING', whole: true, right: true },
  { title: 'RESETS (UTC)', whole: true },
];

const OWN_COUNTS_ONLY =
  'Redis is away: this is what one gateway alone has counted since, against its share of the limits.\n';

export function usageText({ keyId, quotaId, plan, windows, ban, degraded }: UsageAnswer): string {
  const rows = windows.map(({ name, used, limit, remaining, resetsAt }) => {
    return [name, ...[used, limit, remaining].map(String), time(resetsAt)];
  });
  const chain = quotaId === keyId ? '' : `, counted together with ${quotaId}`;
  const banned = ban === null ? 'Not banned.' : `Banned until ${time(ban.until)} UTC${ban.manual ? ', by hand' : ''}.`;
  return `Key ${keyId} on the plan ${plan}${chain}\n\n${table(COLUMNS, rows, null)}\n${banned}\n${degraded === true ? OWN_COUNTS_ONLY : ''}`;
}
