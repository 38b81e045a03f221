import type { SearchResult } from '../../shared/ui/frame/search-dialog.tsx';
import type { Key } from '../api/keys.ts';
import type { Operation } from '../api/operations.ts';
import type { Plan } from '../api/plans.ts';

export interface Result extends SearchResult {
  readonly kind: 'Screen' | 'Key' | 'Owner' | 'Plan' | 'Operation' | 'Request';
}

export interface Searched {
  readonly places: readonly { readonly label: string; readonly to: string }[];
  readonly keys: readonly Key[];
  readonly plans: readonly Plan[];
  readonly operations: readonly Operation[];
}

const MAX_OF_A_KIND = 6;

/** What a text finds, the likeliest first: screens, keys, their owners, plans, operations, and a request of that id. */
export function resultsFor(text: string, { places, keys, plans, operations }: Searched): readonly Result[] {
  const wanted = text.trim().toLowerCase();
  const matches = (...words: readonly string[]) => words.some((word) => word.toLowerCase().includes(wanted));
  const owners = [...new Set(keys.map(({ owner }) => owner))].filter((owner) => matches(owner));
  return [
    ...places.filter(({ label }) => matches(label)).map(screenResult),
    ...keys.slice(0, MAX_OF_A_KIND).map(keyResult),
    ...owners.slice(0, MAX_OF_A_KIND).map(ownerResult),
    ...plans
      .filter(({ id, name }) => wanted !== '' && matches(id, name))
      .slice(0, MAX_OF_A_KIND)
      .map(planResult),
    ...operations
      .filter(({ id, method, path }) => wanted !== '' && matches(id, `${method} ${path}`))
      .slice(0, MAX_OF_A_KIND)
      .map(operationResult),
    ...(mayBeRequestId(text.trim()) ? [requestResult(text.trim())] : []),
  ];
}

/** The gateway's limit for request ids, which callers may choose; shorter ones are more likely to be words. */
export function mayBeRequestId(text: string): boolean {
  return /^[\w.-]{8,128}$/.test(text) && !text.startsWith('key_') && !text.startsWith('tg_');
}

function screenResult({ label, to }: { readonly label: string; readonly to: string }): Result {
  return { id: `screen ${to}`, kind: 'Screen', label, detail: '', href: to };
}

function keyResult({ id, name, owner, plan }: Key): Result {
  return {
    id: `key ${id}`,
    kind: 'Key',
    label: name,
    detail: `${owner} · ${plan} · ${id}`,
    href: `/keys/${encodeURIComponent(id)}`,
  };
}

function ownerResult(owner: string): Result {
  return {
    id: `owner ${owner}`,
    kind: 'Owner',
    label: owner,
    detail: 'keys and usage',
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
