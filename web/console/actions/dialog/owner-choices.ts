import { pluralize } from '../../../shared/format/number.ts';
import { isOwnerId, proposeOwner } from '../../api/owner-id.ts';

/** A choice in the list: an existing owner or a new one. */
export interface OwnerChoice {
  readonly owner: string;
  readonly isNew: boolean;
  readonly label: string;
  readonly detail: string;
}

interface KnownOwner {
  readonly owner: string;
  readonly account: { readonly name: string; readonly email: string | null } | null;
  readonly activeKeys: number;
}

const MAX_SUGGESTED = 6;

/**
 * Lists the choices for a text: owners whose id, account name or address contains it, exact matches first. A new owner
 * is offered last, unless the id exists.
 *
 * @param owners owners whose id, account name or address contains the text
 * @param forAccount leaves out owners that have an account, because an owner has at most one
 */
export function findOwnerChoices(
  text: string,
  owners: readonly KnownOwner[],
  forAccount = false,
): readonly OwnerChoice[] {
  const given = text.trim();
  const found = owners
    .filter(({ account }) => !forAccount || account === null)
    .toSorted((one, other) => rankOf(one, given) - rankOf(other, given))
    .slice(0, MAX_SUGGESTED);
  const created = isOwnerId(given) ? given : proposeOwner(given);
  const isKnown = owners.some(({ owner }) => owner === created);
  return [...found.map(knownChoice), ...(created === null || isKnown ? [] : [createNewOwnerChoice(created)])];
}

function knownChoice({ owner, account, activeKeys }: KnownOwner): OwnerChoice {
  const details = [account === null ? null : owner, account?.email, pluralize(activeKeys, 'active key')];
  return { owner, isNew: false, label: account?.name ?? owner, detail: details.filter(Boolean).join(' · ') };
}

export function createNewOwnerChoice(owner: string): OwnerChoice {
  return { owner, isNew: true, label: `Create new owner “${owner}”`, detail: 'No key has this owner yet.' };
}

/**
 * Lower ranks are listed first. -1: the id is the text. 0: the name or address is. 1: one of them begins with it. 2:
 * others.
 */
function rankOf({ owner, account }: KnownOwner, text: string): number {
  const wanted = text.toLowerCase();
  const texts = [owner, account?.name ?? '', account?.email ?? ''].map((each) => each.toLowerCase());
  if (owner === text) return -1;
  if (texts.includes(wanted)) return 0;
  return texts.some((each) => each.startsWith(wanted)) ? 1 : 2;
}
