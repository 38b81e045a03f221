import type { SearchResult } from '../../shared/ui/frame/search-dialog.tsx';
import type { Key } from '../api/keys.ts';
import { ownerNameOf } from '../api/owner-name.ts';
import type { Operation } from '../api/operations.ts';
import type { KeyOwner } from '../api/owners.ts';
import type { Plan } from '../api/plans.ts';
import { type Command, KEY_COMMANDS, type KeyCommand } from '../actions/commands.ts';

export type Result = SearchResult & {
  readonly kind: 'Screen' | 'Action' | 'Owner' | 'Key' | 'Plan' | 'Operation' | 'Request' | 'Audit';
};

export interface Searched {
  readonly places: readonly { readonly label: string; readonly to: string; readonly key: string }[];
  /** What this user may do. */
  readonly commands: readonly (Command | Preference)[];
  /** Keys to choose from for the change that the text begins with; null if it begins with none. */
  readonly chosen: { readonly command: KeyCommand; readonly keys: readonly Key[] } | null;
  readonly mayChange: boolean;
  readonly owners: readonly FoundOwner[];
  readonly keys: readonly Key[];
  readonly plans: readonly Plan[];
  readonly operations: readonly Operation[];
}

type FoundOwner = Pick<KeyOwner, 'owner' | 'account'>;

/** What only this browser remembers, or the session. */
export interface Preference {
  readonly label: string;
  readonly words: string;
  readonly run: () => void;
}

const MAX_OF_A_KIND = 6;

/**
 * What a text finds: keys for the change that it begins with, screens and actions, owners before their keys, plans,
 * operations, and a request of that id. Within a kind, what begins with the text comes first. If nothing is found, where
 * else the text may be an id.
 */
export function resultsFor(text: string, searched: Searched): readonly Result[] {
  const wanted = text.trim().toLowerCase();
  const { places, commands, chosen, mayChange, owners, keys, plans, operations } = searched;
  const of = <T>(items: readonly T[], textsOf: (item: T) => readonly string[], max = MAX_OF_A_KIND) =>
    wanted === '' ? [] : bestOf(items, textsOf, wanted).slice(0, max);
  const screens = wanted === '' ? places : of(places, ({ label }) => [label]);
  const all = [...(mayChange ? KEY_COMMANDS : []), ...commands];
  const actions = wanted === '' ? all : all.filter((one) => hasWords(one, wanted));
  const results = [
    ...(chosen === null
      ? []
      : chosen.keys.filter(chosen.command.fits).slice(0, MAX_CHOICES).map(choiceOf(chosen.command, plans))),
    ...screens.map(screenResult),
    ...actions.map(actionResult),
    ...of(owners, ({ owner, account }) => [account?.name ?? '', owner, account?.email ?? '']).map(ownerResult),
    ...keys.slice(0, MAX_OF_A_KIND).map((key) => keyResult(key, plans)),
    ...of(plans, ({ id, name }) => [name, id]).map(planResult),
    ...of(operations, ({ id, method, path }) => [path, id, `${method} ${path}`]).map(operationResult),
    ...(mayBeRequestId(text.trim()) ? [requestResult(text.trim())] : []),
  ];
  if (results.length > 0 || chosen !== null || !/^\S+$/.test(wanted)) return results;
  return [requestResult(text.trim()), auditResult(text.trim())];
}

const MAX_CHOICES = 12;

/** Those with the text in one of their texts, in their order, but those that begin with it first. */
function bestOf<T>(items: readonly T[], textsOf: (item: T) => readonly string[], wanted: string): readonly T[] {
  const has = (test: (text: string) => boolean) => (item: T) => textsOf(item).some((text) => test(text.toLowerCase()));
  const found = items.filter(has((text) => text.includes(wanted)));
  const begins = has((text) => text.startsWith(wanted));
  return [...found.filter(begins), ...found.filter((item) => !begins(item))];
}

function hasWords({ label, words = '' }: { readonly label: string; readonly words?: string }, wanted: string): boolean {
  const said = `${label} ${words}`.toLowerCase();
  return wanted.split(/\s+/).every((word) => said.includes(word));
}

/** The gateway's limit for request ids, which callers may choose; shorter ones are more likely to be words. */
export function mayBeRequestId(text: string): boolean {
  return /^[\w.-]{8,128}$/.test(text) && !text.startsWith('key_') && !text.startsWith('tg_');
}

function screenResult({ label, to, key }: Searched['places'][number]): Result {
  return { id: `screen ${to}`, kind: 'Screen', label, detail: `g ${key}`, href: to };
}

function actionResult(action: KeyCommand | Command | Preference): Result {
  const { label } = action;
  const line = { id: `action ${label}`, kind: 'Action', label, detail: '' } as const;
  if ('verb' in action) return { ...line, detail: 'then find the key', text: `${action.verb} ` };
  return 'run' in action ? { ...line, run: action.run } : { ...line, href: action.href };
}

function choiceOf({ verb, label }: KeyCommand, plans: readonly Plan[]): (key: Key) => Result {
  const [does = ''] = label.split(' ');
  return (key) => {
    const { id, label: name, detail } = keyResult(key, plans);
    const href = `/keys/${encodeURIComponent(key.id)}?do=${verb}`;
    return { id: `${verb} ${id}`, kind: 'Action', label: `${does} ${name}…`, detail, href };
  };
}

function keyResult(key: Key, plans: readonly Plan[]): Result {
  const { id, name, status, prefix, lastFour } = key;
  const plan = plans.find((one) => one.id === key.plan)?.name ?? key.plan;
  return {
    id: `key ${id}`,
    kind: 'Key',
    label: name,
    detail: `${status === 'active' ? '' : `${status} · `}${ownerNameOf(key)} · ${plan} · ${prefix}…${lastFour}`,
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

function operationResult({ id, method, path }: Operation): Result {
  const href = `/operations/${encodeURIComponent(id)}`;
  return { id: `operation ${id}`, kind: 'Operation', label: `${method} ${path}`, detail: id, href };
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
