import type { Key, KeyFilters } from '../api/keys.ts';

/** A command that the search offers. It opens a screen, or a dialog that is part of its screen's URL. */
export interface Command {
  readonly label: string;
  /** Synonyms by which the search finds it. */
  readonly words: string;
  readonly href: string;
}

/** Commands that do not act on a particular key. */
export const COMMANDS: readonly Command[] = [
  { label: 'Create a key…', words: 'new add', href: '/keys?do=create' },
  { label: 'Create a plan…', words: 'new add', href: '/plans?do=create' },
  { label: 'Create an account…', words: 'new add', href: '/portal?do=create' },
  { label: 'Create a webhook…', words: 'new add', href: '/webhooks?do=create' },
  { label: 'Reload the configuration…', words: 'settings', href: '/system?do=reload' },
];

/** Commands that change nothing, so that viewers may run them too. */
export const READ_COMMANDS: readonly Command[] = [
  { label: 'Compare a document…', words: 'openapi diff changes breaking file', href: '/documents' },
];

/** A command that changes one key. The user types the verb first, then words that find the key. */
export interface KeyCommand {
  /** The verb in the URL of the key's screen (`?do=ban`). */
  readonly verb: KeyVerb;
  readonly label: string;
  /** Finds the keys that the command can change. */
  readonly filters: KeyFilters;
  readonly fits: (key: Key) => boolean;
}

export type KeyVerb =
  | 'ban'
  | 'lift'
  | 'disable'
  | 'enable'
  | 'rotate'
  | 'edit'
  | 'move'
  | 'restrict'
  | 'exempt'
  | 'reset'
  | 'revoke'
  | 'forget';

const isCaller = ({ kind }: Key) => kind === 'token';
const isUsable = ({ status }: Key) => status !== 'revoked';
const isNewest = (key: Key) => isUsable(key) && (key.rotatedTo ?? null) === null;
const hasNewestSecret = (key: Key) => isNewest(key) && !isCaller(key);

export const KEY_COMMANDS: readonly KeyCommand[] = [
  { verb: 'ban', label: 'Ban a key…', filters: {}, fits: isUsable },
  { verb: 'lift', label: 'Lift a ban…', filters: { state: 'banned' }, fits: isUsable },
  { verb: 'disable', label: 'Disable a key…', filters: { status: 'active' }, fits: isUsable },
  { verb: 'enable', label: 'Enable a key…', filters: { status: 'disabled' }, fits: isUsable },
  { verb: 'rotate', label: 'Rotate a key…', filters: { status: 'active' }, fits: hasNewestSecret },
  { verb: 'edit', label: 'Edit a key…', filters: {}, fits: isUsable },
  { verb: 'move', label: 'Move a key to a plan…', filters: {}, fits: isNewest },
  { verb: 'restrict', label: 'Restrict a key…', filters: {}, fits: isNewest },
  { verb: 'exempt', label: 'Exempt a key from refusals…', filters: {}, fits: isNewest },
  { verb: 'reset', label: 'Reset the usage of a key…', filters: {}, fits: isUsable },
  { verb: 'revoke', label: 'Revoke a key…', filters: {}, fits: isUsable },
  { verb: 'forget', label: 'Forget a caller…', filters: { kind: 'token' }, fits: isCaller },
];

/**
 * Splits a text such as `ban shop` into the command and the words that find the key. Null if it begins with no command.
 */
export function parseKeyCommand(text: string): { readonly command: KeyCommand; readonly of: string } | null {
  const [, verb, of = ''] = /^(\w+)\s(.*)$/s.exec(text.trimStart()) ?? [];
  const command = KEY_COMMANDS.find((one) => one.verb === verb?.toLowerCase());
  return command === undefined ? null : { command, of: of.trim() };
}
