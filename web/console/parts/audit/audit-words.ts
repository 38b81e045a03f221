import { MINUTE_MS } from '../../../shared/format/durations.ts';
import { formatCount } from '../../../shared/format/number.ts';
import { formatShortDuration, formatShortTime } from '../../../shared/format/time.ts';
import type { AuditEntry } from '../../api/audit.ts';
import { type Difference, findDifferences, ISO_TIME, formatValue } from './audit-diff.ts';

/** The verb of an action and the kind of its subject. Without a noun, the verb says everything. */
type Words = readonly [verb: string, noun?: string];

/** A record of all actions, so that TypeScript reports a missing one. */
export const ACTION_WORDS: Readonly<Record<AuditEntry['action'], Words>> = {
  'key.create': ['created', 'key'],
  'key.update': ['changed', 'key'],
  'key.revoke': ['revoked', 'key'],
  'key.rotate': ['rotated', 'key'],
  'key.retire': ['ended the old secret of', 'key'],
  'key.forget': ['forgot', 'key'],
  'key.address_refused': ['refused calls from another address with', 'key'],
  'key.sign_in': ['signed in to the portal with', 'key'],
  'key.sign_out': ['signed out of the portal with', 'key'],
  'plan.put': ['changed', 'plan'],
  'plan.delete': ['deleted', 'plan'],
  'plans.seed': ['created', 'plan'],
  'ban.start': ['banned', 'key'],
  'ban.lift': ['lifted the ban on', 'key'],
  'bulk.start': ['began', 'bulk change'],
  'account.create': ['created', 'account'],
  'account.update': ['changed', 'account'],
  'account.delete': ['deleted', 'account'],
  'account.link': ['created a sign-in link for', 'account'],
  'account.bind': ['linked a sign-in to', 'account'],
  'account.sign_in': ['signed in to the portal'],
  'account.sign_out': ['signed out of the portal'],
  'plan_request.create': ['requested another plan'],
  'plan_request.approve': ['approved the plan request of', 'account'],
  'plan_request.decline': ['declined the plan request of', 'account'],
  'plan_request.withdraw': ['withdrew a plan request'],
  'account_request.approve': ['approved', 'account request'],
  'account_request.decline': ['declined', 'account request'],
  'webhook.create': ['created', 'webhook'],
  'webhook.update': ['changed', 'webhook'],
  'webhook.rotate': ['rotated the secret of', 'webhook'],
  'webhook.disable': ['disabled', 'webhook'],
  'webhook.delete': ['deleted', 'webhook'],
  'usage.reset': ['reset the usage of', 'key'],
  'usage.delete': ['deleted the usage history of', 'owner'],
  'session.start': ['signed in to the console'],
  'session.end': ['signed out of the console'],
  'session.revoke': ['ended', 'session'],
  'session.link': ['created a sign-in link for the console'],
  'config.reload': ['reloaded the configuration'],
};

export function findActionWords({ action, before }: Pick<AuditEntry, 'action' | 'before'>): Words {
  return action === 'plan.put' && before === null ? ['created', 'plan'] : ACTION_WORDS[action];
}

const MAX_CHANGES = 3;
const MAX_TEXT_LENGTH = 40;

/** Fields that are left out, because the words of the action contain them or they mean nothing to a reader. */
const UNSAID = /^(?:rotatedTo|quietSince|externalId|keyId|from|level|manual|evidence|revision|secret)(?:\.|$)/;
/** Fields of a new subject that say what it may do. Only these are listed, because the row already shows the name. */
const SAID_OF_NEW = /^(?:plan$|limits\.|expiresAt$|url$)/;

const NAMES: Readonly<Record<string, string>> = {
  'limits.minute': 'requests per minute',
  'limits.day': 'requests per day',
  'limits.month': 'requests per month',
  concurrent: 'requests at once',
  expiresAt: 'expiry',
  onStoreFailure: 'without Redis',
  priceText: 'price',
  url: 'URL',
  types: 'event types',
  accountId: 'account',
};

/** Translates the name of a field for users. */
export function nameField(field: string): string {
  return NAMES[field] ?? field;
}

/** Returns the name of the plan with an id. */
type NameOfPlan = (id: string) => string;

/**
 * Describes a change in one line: "requests per minute: 300 → 240, plan: Free → Pro". Empty if the action says
 * everything.
 */
export function summarizeChange(
  { action, before, after }: Pick<AuditEntry, 'action' | 'before' | 'after'>,
  planName: NameOfPlan = (id) => id,
): string {
  if (action === 'ban.start') return typeof after?.['until'] === 'string' ? lengthOfBan(after) : '';
  if (action === 'ban.lift' || action.startsWith('session.') || action === 'key.revoke') return '';
  if (action.startsWith('account_request.')) return '';
  if (action.startsWith('plan_request.') && action !== 'plan_request.create') {
    return typeof after?.['plan'] === 'string' ? `plan: ${planName(after['plan'])}` : '';
  }
  const isNew = before === null;
  const changes = findDifferences(before, after).filter(
    ({ field }) => !UNSAID.test(field) && (!isNew || SAID_OF_NEW.test(field)),
  );
  const said = changes.slice(0, MAX_CHANGES).map((change) => formatDifference(change, planName));
  if (changes.length > MAX_CHANGES) said.push(`and ${changes.length - MAX_CHANGES} more`);
  return said.join(', ');
}

function lengthOfBan(after: Readonly<Record<string, unknown>>): string {
  const minutes = Math.round((Date.parse(String(after['until'])) - Date.parse(String(after['from']))) / MINUTE_MS);
  return `until ${text(after['until'])}${minutes > 0 ? ` (${formatShortDuration(minutes * MINUTE_MS)})` : ''}`;
}

function formatDifference({ field, before, after }: Difference, planName: NameOfPlan): string {
  const shown = (value: unknown) => text(field === 'plan' && typeof value === 'string' ? planName(value) : value);
  const values = before === undefined ? shown(after) : `${shown(before)} → ${shown(after ?? null)}`;
  return `${nameField(field)}: ${values}`;
}

function text(value: unknown): string {
  const shown = typeof value === 'number' ? formatCount(value) : (findTime(value) ?? formatValue(value));
  return shown.length <= MAX_TEXT_LENGTH ? shown : `${shown.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}

/** Formats a time as in the column of times. Undefined if the value is not a time. */
function findTime(value: unknown): string | undefined {
  return typeof value === 'string' && ISO_TIME.test(value) ? formatShortTime(Date.parse(value), Date.now()) : undefined;
}
