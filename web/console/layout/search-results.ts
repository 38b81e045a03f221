import { formatKeyPreview } from '../../shared/format/key-preview.ts';
import type { SearchResult } from '../../shared/ui/frame/search-dialog.tsx';
import type { Key } from '../api/keys.ts';
import { findOwnerName } from '../api/owner-name.ts';
import { findOwnId } from '../api/operation-id.ts';
import type { Operation } from '../api/operations.ts';
import type { KeyOwner } from '../api/owners.ts';
import type { Webhook } from '../api/events/webhooks.ts';
import type { Plan } from '../api/plans.ts';
import { type Command, KEY_COMMANDS, parseKeyCommand, type KeyCommand } from '../actions/commands.ts';

export type Result = SearchResult & {
  readonly kind: 'Screen' | 'Action' | 'Owner' | 'Key' | 'Plan' | 'Operation' | 'Webhook' | 'Request' | 'Audit';
};

export interface SearchedData {
  readonly places: readonly {
    readonly label: string;
    readonly to: string;
    readonly key: string;
    readonly words: readonly string[];
  }[];
  /** The commands that this user may run. */
  readonly commands: readonly (Command | Preference)[];
  /**
   * The command that the text begins with, and the keys that it can change. Null if the text begins with no command.
   */
  readonly chosen: { readonly command: KeyCommand; readonly keys: readonly Key[] } | null;
  readonly mayChange: boolean;
  readonly owners: readonly FoundOwner[];
  readonly keys: readonly Key[];
  readonly plans: readonly Plan[];
  readonly operations: readonly Operation[];
  readonly webhooks: readonly FoundWebhook[];
}

type FoundOwner = Pick<KeyOwner, 'owner' | 'account'>;
type FoundWebhook = Pick<Webhook, 'id' | 'url' | 'description'>;

/** A setting that is remembered only in this browser or session. */
export interface Preference {
  readonly label: string;
  readonly words: string;
  readonly run: () => void;
}

const MAX_OF_A_KIND = 6;

/**
 * Finds the results for a text. First come those whose id, title or path equals it. Then follow keys for the command
 * that it begins with, screens and actions, owners before their keys, plans, operations, webhooks, and a request with that id.
 * Within a kind, names that begin with the text come first. If nothing matches, the text may be an id, so the lists of
 * requests and changes are offered.
 */
export function findResults(text: string, searched: SearchedData): readonly Result[] {
  const wanted = comparable(text);
  const { places, commands, chosen, mayChange, owners, keys, plans, operations, webhooks } = searched;
  const all = [...(mayChange ? KEY_COMMANDS : []), ...commands];
  if (wanted === '') return [...places.map(screenResult), ...all.map(actionResult)];
  const rankByName = <T>(items: readonly T[], namesOf: (item: T) => readonly string[]) =>
    ranked(items, namesOf, wanted).filter(({ rank }) => rank !== Rank.elsewhere);
  const actions = all.filter((one) => hasWords(one, wanted));
  const found = [
    ...takeFirst(
      rankByName(places, ({ label, words }) => [label, ...words]),
      screenResult,
    ),
    ...ranked(actions, ({ label }) => [label.replace('…', '')], wanted).map(toFound(actionResult)),
    ...takeFirst(
      rankByName(owners, ({ owner, account }) => [account?.name ?? '', owner, account?.email ?? '']),
      ownerResult,
    ),
    // Keeps keys whose names do not match: the gateway also finds keys by their owner and by the beginning of their
    // secret.
    ...takeFirst(ranked(keys, keyNames, wanted), (key) => keyResult(key, plans)),
    ...takeFirst(
      rankByName(plans, ({ id, name }) => [name, id]),
      planResult,
    ),
    ...takeFirst(
      rankByName(operations, ({ id, method, path }) => [path, id, `${method} ${path}`]),
      operationResult,
    ),
    ...takeFirst(
      rankByName(webhooks, ({ id, url, description }) => [description, url, id]),
      webhookResult,
    ),
  ];
  const choices = chosen === null ? [] : choicesFor(text, chosen, plans);
  const results = [
    ...found.filter(({ isExact }) => isExact).map(({ result }) => result),
    ...choices,
    ...found.filter(({ isExact }) => !isExact).map(({ result }) => result),
    ...(mayBeRequestId(text.trim()) ? [requestResult(text.trim())] : []),
  ];
  if (results.length > 0 || chosen !== null || wanted.includes(' ')) return results;
  return [requestResult(text.trim()), auditResult(text.trim())];
}

interface Found {
  readonly result: Result;
  readonly isExact: boolean;
}

function takeFirst<T>(items: readonly Ranked<T>[], resultOf: (item: T) => Result): readonly Found[] {
  return items.slice(0, MAX_OF_A_KIND).map(toFound(resultOf));
}

function toFound<T>(resultOf: (item: T) => Result): (ranked: Ranked<T>) => Found {
  return ({ item, rank }) => ({ result: resultOf(item), isExact: rank === Rank.exact });
}

const MAX_CHOICES = 12;

/** Lists the keys that the command can change. */
function choicesFor(text: string, { command, keys }: NonNullable<SearchedData['chosen']>, plans: readonly Plan[]) {
  const wanted = comparable(parseKeyCommand(text)?.of ?? '');
  return ranked(keys.filter(command.fits), keyNames, wanted)
    .slice(0, MAX_CHOICES)
    .map(({ item }) => choiceResult(command, item, plans));
}

const keyNames = ({ id, name }: Key) => [name, id];

/** Ranks how a name matches the text, best first. `elsewhere` means that only other texts of the item match. */
const Rank = { exact: 0, beginning: 1, part: 2, elsewhere: 3 } as const;

interface Ranked<T> {
  readonly item: T;
  readonly rank: number;
}

/** Sorts items by how well their names match. Items of the same rank keep their order. */
function ranked<T>(items: readonly T[], namesOf: (item: T) => readonly string[], wanted: string): readonly Ranked<T>[] {
  return items
    .map((item) => ({ item, rank: Math.min(...namesOf(item).map((name) => rankOf(comparable(name), wanted))) }))
    .toSorted((one, other) => one.rank - other.rank);
}

function rankOf(name: string, wanted: string): number {
  if (name === wanted) return Rank.exact;
  if (name.startsWith(wanted)) return Rank.beginning;
  return name.includes(wanted) ? Rank.part : Rank.elsewhere;
}

/** Makes texts comparable regardless of case and white space. */
function comparable(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}

function hasWords({ label, words = '' }: { readonly label: string; readonly words?: string }, wanted: string): boolean {
  const said = `${label} ${words}`.toLowerCase();
  return wanted.split(/\s+/).every((word) => said.includes(word));
}

/**
 * True for texts of 8 to 128 characters. Callers may choose request ids, and 128 is the gateway's maximum; shorter
 * texts are more likely to be words.
 */
export function mayBeRequestId(text: string): boolean {
  return /^[\w.-]{8,128}$/.test(text) && !text.startsWith('key_') && !text.startsWith('tg_');
}

function screenResult({ label, to, key }: SearchedData['places'][number]): Result {
  return { id: `screen ${to}`, kind: 'Screen', label, detail: `g ${key}`, href: to };
}

function actionResult(action: KeyCommand | Command | Preference): Result {
  const { label } = action;
  const line = { id: `action ${label}`, kind: 'Action', label, detail: '' } as const;
  if ('verb' in action) return { ...line, detail: 'then find the key', text: `${action.verb} ` };
  return 'run' in action ? { ...line, run: action.run } : { ...line, href: action.href };
}

function choiceResult({ verb, label }: KeyCommand, key: Key, plans: readonly Plan[]): Result {
  const [does = ''] = label.split(' ');
  const { id, label: name, detail } = keyResult(key, plans);
  const href = `/keys/${encodeURIComponent(key.id)}?do=${verb}`;
  return { id: `${verb} ${id}`, kind: 'Action', label: `${does} ${name}…`, detail, href };
}

function keyResult(key: Key, plans: readonly Plan[]): Result {
  const { id, name, status, rotatedTo } = key;
  const plan = plans.find((one) => one.id === key.plan)?.name ?? key.plan;
  return {
    id: `key ${id}`,
    kind: 'Key',
    label: name,
    detail: [
      ...(status === 'active' ? [] : [status]),
      ...(rotatedTo === null ? [] : ['old secret']),
      findOwnerName(key),
      plan,
      formatKeyPreview(key),
    ].join(' · '),
    href: `/keys/${encodeURIComponent(id)}`,
  };
}

function ownerResult({ owner, account }: FoundOwner): Result {
  return {
    id: `owner ${owner}`,
    kind: 'Owner',
    label: account?.name ?? owner,
    detail: account === null ? 'keys and usage' : [owner, account.email].filter(Boolean).join(' · '),
    href: `/owners/${encodeURIComponent(owner)}`,
  };
}

function planResult({ id, name }: Plan): Result {
  return { id: `plan ${id}`, kind: 'Plan', label: name, detail: id, href: `/plans/${encodeURIComponent(id)}` };
}

function operationResult(operation: Operation): Result {
  const { id, method, path } = operation;
  const href = `/operations/${encodeURIComponent(id)}`;
  return { id: `operation ${id}`, kind: 'Operation', label: `${method} ${path}`, detail: findOwnId(operation), href };
}

function webhookResult({ id, url, description }: FoundWebhook): Result {
  const href = `/webhooks/${encodeURIComponent(id)}`;
  return { id: `webhook ${id}`, kind: 'Webhook', label: description || url, detail: description && url, href };
}

function requestResult(id: string): Result {
  return {
    id: `request ${id}`,
    kind: 'Request',
    label: id,
    detail: 'explain this request',
    href: `/requests?id=${encodeURIComponent(id)}`,
  };
}

function auditResult(id: string): Result {
  const href = `/audit?subject=${encodeURIComponent(id)}`;
  return { id: `audit ${id}`, kind: 'Audit', label: id, detail: 'changes to this id', href };
}
