import { isDeepStrictEqual } from 'node:util';
import { type Selectable, sql } from 'kysely';
import type { Page, PageRequest } from '../../storage/paging.ts';
import { toDateTime } from '../../base/time.ts';
import type { Dialect } from '../../storage/dialect.ts';
import { readSortedPage } from '../../storage/sorted-page.ts';
import { type Plan, planFields } from '../../domain/plan.ts';
import { type Key, type NewKey, recordedKeyFields } from './key.ts';
import type { AuditTable, Queries, Tx } from '../../storage/tables.ts';

/** The actions in the audit log. The admin API's document lists them, and the console offers them as a filter. */
export const AUDIT_ACTIONS = [
  'key.create',
  'key.update',
  'key.revoke',
  'key.rotate',
  'key.retire',
  'key.forget',
  'key.address_refused',
  'key.sign_in',
  'key.sign_out',
  'plan.put',
  'plan.delete',
  'plans.seed',
  'ban.start',
  'ban.lift',
  'bulk.start',
  'account.create',
  'account.update',
  'account.delete',
  'account.link',
  'account.bind',
  'account.sign_in',
  'account.sign_out',
  'plan_request.create',
  'plan_request.approve',
  'plan_request.decline',
  'plan_request.withdraw',
  'account_request.approve',
  'account_request.decline',
  'webhook.create',
  'webhook.update',
  'webhook.rotate',
  'webhook.disable',
  'webhook.delete',
  'usage.reset',
  'usage.delete',
  'session.start',
  'session.end',
  'session.revoke',
  'session.link',
  'config.reload',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The actor, time and reason of a change, as the audit log records them. */
export interface ChangeContext {
  /** The name of the admin token, the id of the account or key that is signed in to the portal, or `system`. */
  readonly actor: string;
  readonly reason: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The id of the bulk change that the change is part of. */
  readonly bulkId?: string | null | undefined;
  /** The message to the customer, for bans only. The reason is for operators. */
  readonly message?: string | null | undefined;
}

export interface AuditEntry extends ChangeContext {
  /** A positive integer that rises with every entry. */
  readonly sequence: number;
  readonly action: AuditAction;
  /** The id of the key, plan, account, plan request or bulk change. */
  readonly subject: string;
  /** The changed fields, or the whole record at its creation. Never a secret or its hash. */
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export interface AuditFilter {
  /** One subject or several. */
  readonly subject?: string | readonly string[] | undefined;
  /** Only entries about the quotas of this owner's keys. */
  readonly quotasOf?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly bulkId?: string | undefined;
  /** The sequence number of a single entry. */
  readonly sequence?: number | undefined;
  /** Leaves out sign-ins and sign-outs. */
  readonly withoutSignIns?: boolean;
  /** Inclusive, milliseconds since the Unix epoch. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
}

export type NewAuditEntry = Omit<AuditEntry, 'sequence'>;

type RecordFields = Readonly<Record<string, unknown>>;

/** The part of a change that an entry shows. A new record has no `before`; a deleted record has no `after`. */
export interface ChangedFields {
  readonly before?: RecordFields;
  readonly after?: RecordFields;
}

/** The fields of a key or plan that the audit log shows. */
const RECORDED_FIELDS: ReadonlySet<string> = new Set([...recordedKeyFields, ...planFields]);

/** The fields of a whole record that the audit log shows. */
export function pickRecordedFields(record: NewKey | Key | Plan): RecordFields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => RECORDED_FIELDS.has(name)));
}

/** The fields that differ between two versions of a key or plan; null if none does. */
export function diffRecords<T extends Key | Plan>(before: T, after: T): Required<ChangedFields> | null {
  return diffFields(pickRecordedFields(before), pickRecordedFields(after));
}

/** The fields whose values differ; null if none does. */
export function diffFields(before: RecordFields, after: RecordFields): Required<ChangedFields> | null {
  const changedEntries = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name]));
  if (changedEntries.length === 0) return null;
  return {
    before: Object.fromEntries(changedEntries.map(([name]) => [name, before[name]])),
    after: Object.fromEntries(changedEntries),
  };
}

export function createAuditEntry(
  change: ChangeContext,
  action: AuditAction,
  subject: string,
  changedFields: ChangedFields,
): NewAuditEntry {
  const { actor, reason, at, bulkId, message } = change;
  const context = { actor, reason, at, bulkId, message };
  return { ...context, action, subject, before: changedFields.before ?? null, after: changedFields.after ?? null };
}

/** Revoking a key is final, so it has an action name of its own. */
export function chooseUpdateAction(before: Key, after: Key): AuditAction {
  return before.status !== 'revoked' && after.status === 'revoked' ? 'key.revoke' : 'key.update';
}

/** Adds entries, at most one per subject. @returns their sequences, by subject */
export async function appendAudit(tx: Tx, entries: readonly NewAuditEntry[]): Promise<Map<string, number>> {
  const rows = await tx.insertInto('audit').values(entries.map(toRow)).returning(['subject', 'sequence']).execute();
  return new Map(rows.map(({ subject, sequence }) => [subject, sequence]));
}

/** Writes the entry of one change. @returns its sequence, which becomes the revision of the changed record */
export async function appendAuditEntry(
  { tx, change }: { readonly tx: Tx; readonly change: ChangeContext },
  subject: string,
  action: AuditAction,
  changedFields: ChangedFields,
): Promise<number> {
  return (await appendAudit(tx, [createAuditEntry(change, action, subject, changedFields)])).get(subject) ?? 0;
}

const SIGN_IN_ACTIONS: readonly AuditAction[] = [
  'key.sign_in',
  'key.sign_out',
  'account.sign_in',
  'account.sign_out',
  'session.start',
  'session.end',
];

/** Newest first, unless `oldestFirst`. */
export function listAudit(
  queries: Queries,
  filter: AuditFilter,
  page: PageRequest,
  oldestFirst = false,
): Promise<Page<AuditEntry>> {
  const order = { by: 'at', descending: !oldestFirst } as const;
  return readSortedPage(
    selectAudit(queries, filter),
    { list: 'audit', order, values: { at: null } },
    page,
    toAuditEntry,
  );
}

/** The starts of bans whose planned end is after `now`. These bans may already have been lifted or replaced. */
export function listUnendedBans(
  { queries, dialect }: { readonly queries: Queries; readonly dialect: Dialect },
  filter: Pick<AuditFilter, 'subject' | 'quotasOf'>,
  now: number,
  page: PageRequest,
  oldestFirst: boolean,
): Promise<Page<AuditEntry>> {
  // This must be exactly the expression of the index, or the index is not used.
  const plannedEnd = sql<string>`(CASE WHEN action = 'ban.start' THEN ${dialect.jsonField('after', 'until')} END)`;
  const query = selectAudit(queries, filter).where(plannedEnd, '>', toDateTime(now));
  const order = { by: 'at', descending: !oldestFirst } as const;
  return readSortedPage(query, { list: 'unended bans', order, values: { at: UNINDEXED_SEQUENCE } }, page, toAuditEntry);
}

/**
 * The sequence, written so that its index is not used. Few bans have not ended, so sorting them is faster than reading
 * all entries in order.
 */
const UNINDEXED_SEQUENCE = { value: sql<number>`+sequence`, isNumber: true };

export function selectAudit(queries: Queries, filter: AuditFilter) {
  const { subject, quotasOf, actor, action, bulkId, sequence, withoutSignIns, from, to } = filter;
  let query = queries.selectFrom('audit').selectAll();
  if (typeof subject === 'string') query = query.where('subject', '=', subject);
  else if (subject !== undefined) query = query.where('subject', 'in', subject);
  if (quotasOf !== undefined) {
    const ownerQuotas = queries.selectFrom('keys').select('quota_id').where('owner', '=', quotasOf);
    query = query.where('subject', 'in', ownerQuotas);
  }
  const hasSelectiveFilter = subject !== undefined || quotasOf !== undefined;
  for (const [field, value] of Object.entries({ actor, action })) {
    if (value === undefined) continue;
    // A subject has few entries, but an action has very many. The expression keeps SQLite from using the column's
    // index.
    const column = sql.ref(field);
    query = query.where(hasSelectiveFilter ? sql`coalesce(${column}, '')` : column, '=', value);
  }
  if (bulkId !== undefined) query = query.where('bulk_id', '=', bulkId);
  if (sequence !== undefined) query = query.where('sequence', '=', sequence);
  if (withoutSignIns === true) query = query.where('action', 'not in', SIGN_IN_ACTIONS);
  if (from !== undefined) query = query.where('at', '>=', from);
  if (to !== undefined) query = query.where('at', '<', to);
  return query;
}

function toRow({ at, actor, action, subject, reason, before, after, bulkId = null, message = null }: NewAuditEntry) {
  const columns = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
  return { at, actor, action, subject, reason, ...columns, bulk_id: bulkId, message };
}

function toAuditEntry(row: Selectable<AuditTable>): AuditEntry {
  const { sequence, at, actor, subject, reason, message } = row;
  const action = row.action as AuditAction;
  const fields = { before: parseFields(row.before), after: parseFields(row.after) };
  return { sequence, at, actor, action, subject, reason, ...fields, bulkId: row.bulk_id, message };
}

function parseFields(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
