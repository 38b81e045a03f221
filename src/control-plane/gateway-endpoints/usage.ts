import type { BanView, Usage, WindowName } from '../../data-plane/ports.ts';
import { toDateTime } from '../../base/time.ts';

/** The usage of a key, in the terms of the API. */
export function usageBody(plan: string, usage: Usage) {
  return {
    plan,
    windows: (['minute', 'day'] as const).map((name) => windowBody(usage, name)),
    ...(usage.degraded === true ? { degraded: true } : {}),
    ban: banBody(usage.ban),
  };
}

function windowBody(usage: Usage, name: WindowName) {
  const { limit, used, remaining, resetAt } = usage[name];
  return { name, limit, used, remaining, resetsAt: toDateTime(resetAt) };
}

function banBody(ban: BanView | null) {
  if (ban === null) return null;
  return { from: toDateTime(ban.from), until: toDateTime(ban.until), level: ban.level, manual: ban.manual };
}
