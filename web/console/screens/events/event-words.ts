import { formatCount, pluralize } from '../../../shared/format/number.ts';
import { formatShortDuration } from '../../../shared/format/time.ts';
import type { Event, EventType } from '../../api/events/events.ts';
import { summarizeChange } from '../../parts/audit/audit-words.ts';

/** Part of a sentence: a fixed text, or a value that is linked, formatted, or written by someone else. */
export type Part =
  | string
  | { readonly as: 'key' | 'operation' | 'plan' | 'account' | 'webhook'; readonly id: string; readonly name?: string }
  | { readonly as: 'time'; readonly at: string }
  | { readonly as: 'given'; readonly text: string };

type Data = Readonly<Record<string, unknown>>;
type Say = (data: Data, planName: (id: string) => string) => readonly Part[];

/** Sentences about events of the gateway, by type. */
export const SENTENCES: Readonly<Record<string, Say>> = {
  'key.created': (data) => [createKeyPart(data), ' was created on the plan ', plan(data)],
  'key.rotated': (data) => {
    const { expiresAt, graceUntil } = record(data['replaced']);
    const end = graceUntil === 'quiet' ? 'expires once it is no longer used, at the latest ' : 'expires ';
    return [createKeyPart(record(data['key'])), ` was rotated. The old secret ${end}`, time(expiresAt)];
  },
  'key.retired': (data) => [
    'The old secret of ',
    createKeyPart(data),
    data['cause'] === 'quiet' ? ' expired, because it was no longer used' : ' expired at its deadline',
  ],
  'key.revoked': (data) => [
    createKeyPart(data),
    ' was revoked',
    ...(data['holder'] == null ? [] : [' by somebody who had its secret', ...formatReason(record(data['holder']))]),
  ],
  'key.expiring': (data) => [
    createKeyPart(data),
    ` expires in ${pluralize(number(data['daysLeft']), 'day')}, `,
    time(data['expiresAt']),
  ],
  'key.address_refused': (data) => [
    keyById(data['keyId']),
    ' was used from ',
    given(data['address']),
    ', an address that it does not allow',
  ],
  'key.banned': (data) => [
    keyById(data['keyId']),
    ' was banned until ',
    time(data['until']),
    ...(data['manual'] === true ? formatReason(data) : [', because it kept calling without waiting for Retry-After']),
  ],
  'key.unbanned': (data) => ['The ban on ', keyById(data['keyId']), ' was lifted', ...formatReason(data)],
  'quota.threshold': (data) => {
    const { window, level, used, limit, shadow } = data;
    const reached =
      level === 80 ? ` used 80% of its limit per ${text(window)}` : ` reached its limit per ${text(window)}`;
    const figures = `: ${formatCount(number(used))} of ${formatCount(number(limit))}`;
    return [keyById(data['keyId']), reached, figures, shadow === true ? ' (shadow mode, nothing is refused)' : ''];
  },
  'plan.changed': ({ keyId, before, after }, planName) => {
    const what = summarizeChange({ action: 'plan.put', before: record(before), after: record(after) }, planName);
    const subject: Part = keyId === null ? plan(record(after)) : keyById(keyId);
    return [subject, ' changed', ...(what === '' ? [] : [' · ', given(what)])];
  },
  'operation.deprecated': (data) => [
    operation(data),
    ' is deprecated',
    ...(data['sunsetAt'] == null ? [] : [', and will be removed ', time(data['sunsetAt'])]),
  ],
  'operation.sunset_soon': (data) => [
    operation(data),
    ` will be removed in ${pluralize(number(data['daysLeft']), 'day')}. Called with ${pluralize(number(data['keyCount']), 'key')} of this owner`,
  ],
  'operation.invalid_call': (data) => [
    'A call with ',
    keyById(data['keyId']),
    ' did not fit ',
    operation(data),
    ': ',
    data['place'] === '' ? 'the body' : given(data['place']),
    ' ',
    given(data['message']),
    data['refused'] === true ? ', and was refused' : '',
  ],
  'plan_request.created': (data) => [account(data), ' requested the plan ', plan(data)],
  'plan_request.approved': (data) => [
    'The request of ',
    account(data),
    ' for the plan ',
    plan(data),
    ' was approved',
    ...formatReason(data),
  ],
  'plan_request.declined': (data) => [
    'The request of ',
    account(data),
    ' for the plan ',
    plan(data),
    ' was declined',
    ...formatReason(data),
  ],
  'account_request.created': (data) => [
    given(data['name']),
    ' (',
    given(data['email']),
    ') requested an account on the plan ',
    plan(data),
  ],
  'webhook.disabled': (data) => [
    { as: 'webhook', id: text(data['id']) },
    data['reason'] === 'gone'
      ? ' was disabled, because its endpoint responded with 410'
      : ' was disabled, because every attempt failed for 5 days',
  ],
  'webhook.test': (data) => ['A test event was sent to ', { as: 'webhook', id: text(data['webhookId']) }],
  'store.degraded': (data) => [given(data['host']), ' cannot reach the shared counters: ', given(data['reason'])],
  'store.recovered': (data) => [
    given(data['host']),
    ` can reach the shared counters again, after ${formatShortDuration(number(data['degradedForMs']))}`,
  ],
};

/**
 * Describes an event in words. For an event of a service, these are the meaning of its type and its first values.
 *
 * @param types the documented types
 */
export function describeEvent(
  { type, source, subject, data }: Pick<Event, 'type' | 'source' | 'subject' | 'data'>,
  types: readonly Pick<EventType, 'name' | 'source' | 'summary'>[] = [],
  planName = (id: string) => id,
): readonly Part[] {
  const say = source === 'gateway' && Object.hasOwn(SENTENCES, type) ? SENTENCES[type] : undefined;
  if (say !== undefined) return say(data, planName);
  const values = listValues(subject, data);
  const meaning = types.find((one) => one.name === type && one.source === source)?.summary.replace(/\.$/, '');
  if (meaning === undefined) return values;
  return values.length === 0 ? [given(meaning)] : [given(meaning), ': ', ...values];
}

const MAX_VALUES = 3;

function listValues(subject: string | null, data: Data): readonly Part[] {
  const simple = Object.entries(data).filter(
    ([, value]) => value !== null && isShown(value) && text(value) !== subject,
  );
  const values = simple.slice(0, MAX_VALUES).map(([name, value]) => `${name} ${text(value)}`);
  const all = [...(subject === null ? [] : [subject]), ...values];
  return all.length === 0 ? [] : [given(all.join(', '))];
}

/** Numbers that JavaScript cannot represent exactly are objects, which JSON writes as numbers. */
function isShown(value: unknown): boolean {
  return typeof value !== 'object' || !/^[[{]/.test(JSON.stringify(value));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function number(value: unknown): number {
  return Number(text(value));
}

function record(value: unknown): Data {
  return typeof value === 'object' && value !== null ? (value as Data) : {};
}

/** Longer texts are truncated. The dialog shows all data of the event. */
const MAX_TEXT_LENGTH = 120;

function given(value: unknown): Part {
  const all = text(value);
  return { as: 'given', text: all.length <= MAX_TEXT_LENGTH ? all : `${all.slice(0, MAX_TEXT_LENGTH - 1)}…` };
}

function time(value: unknown): Part {
  return { as: 'time', at: text(value) };
}

function formatReason({ reason }: Data): readonly Part[] {
  return typeof reason === 'string' && reason !== '' ? [': ', given(reason)] : [];
}

function createKeyPart({ id, name }: Data): Part {
  return { as: 'key', id: text(id), name: text(name) };
}

function keyById(id: unknown): Part {
  return { as: 'key', id: text(id) };
}

function plan(data: Data): Part {
  return { as: 'plan', id: text(data['plan']) };
}

function account({ accountId }: Data): Part {
  return { as: 'account', id: text(accountId) };
}

function operation(data: Data): Part {
  return { as: 'operation', id: text(data['operation']), name: `${text(data['method'])} ${text(data['path'])}` };
}
