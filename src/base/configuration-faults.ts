import type { z } from 'zod';
import { findNearest } from './portable/nearest.ts';
import { toPrintable } from './text.ts';
import { StartError } from './error-types.ts';

/** Maximum length of an error's text. Longer texts are truncated, because names in documents can have any length. */
const MAX_LENGTH = 1000;

/** Collects configuration errors, so that all of them are reported at once. */
export class Faults {
  readonly #lines: string[] = [];
  /** Places of the values that could not be read. */
  readonly #unread = new Set<string>();
  readonly #removals = new Map<string, Set<string>>();

  /**
   * @param where the file and line, or the environment variable
   * @param path the dotted path of the setting; empty for the whole file
   * @param message what is wrong and what to do
   */
  add(where: string, path: string, message: string): void {
    const place = formatPlace(where, path);
    if (!this.#unread.has(place)) this.#lines.push(formatLine(place + message));
  }

  /** Like `add`, for a value that could not be read. Later errors about the same value are dropped. */
  addUnread(where: string, path: string, message: string): void {
    const place = formatPlace(where, path);
    this.#lines.push(formatLine(place + message));
    this.#unread.add(place);
  }

  /** @param namesAt returns the allowed setting names at a path, to suggest the nearest one */
  addZod(
    error: z.ZodError,
    locate: (path: readonly PropertyKey[]) => string,
    namesAt: (path: readonly PropertyKey[]) => readonly string[] = () => [],
  ): void {
    for (const issue of error.issues) {
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) {
          const path = [...issue.path, key];
          const suggestion = findNearest(key, namesAt(issue.path));
          const advice = suggestion === null ? 'check the spelling, or remove it' : `did you mean ${suggestion}?`;
          this.add(locate(path), formatPath(path), `is not a known setting: ${advice}`);
        }
      } else {
        this.add(locate(issue.path), formatPath(issue.path), describeIssue(issue));
      }
    }
  }

  /** Notes that an error could be fixed by removing the part of the file that `query` selects. */
  addRemoval(file: string, query: string): void {
    const queries = this.#removals.get(file) ?? new Set();
    this.#removals.set(file, queries.add(query));
  }

  /** JSONPath queries of the parts to remove, by file. */
  get removals(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#removals;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** @param remedies see `ConfigError` @throws ConfigError if anything was added */
  throwIfAny(remedies: readonly string[] = []): void {
    if (this.#lines.length > 0) throw new ConfigError(this.#lines, remedies);
  }
}

function formatLine(text: string): string {
  return toPrintable(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
}

function formatPlace(where: string, path: string): string {
  return `${where}: ${path === '' ? '' : `${path} `}`;
}

/**
 * Maximum number of errors in the message. A document may have thousands of errors, and the log drops lines that are
 * too long.
 */
const MAX_LISTED_FAULTS = 200;

/** The configuration cannot be used. The message has one line per error, for the first `MAX_LISTED_FAULTS` errors. */
export class ConfigError extends StartError {
  readonly faults: readonly string[];
  /** Texts that users can save as files. Each begins with a sentence that says where to use the file. */
  readonly remedies: readonly string[];

  constructor(faults: readonly string[], remedies: readonly string[] = []) {
    const listedFaults = faults.slice(0, MAX_LISTED_FAULTS).map((fault) => `  ${fault}`);
    const unlistedCount = faults.length - listedFaults.length;
    super(
      [
        `the configuration has ${faults.length} ${faults.length === 1 ? 'error' : 'errors'}:`,
        ...listedFaults,
        ...(unlistedCount > 0 ? [`  and ${unlistedCount} more, which are listed once these are fixed`] : []),
        ...remedies.map((remedy) => `\n${remedy}`),
      ].join('\n'),
    );
    this.faults = faults;
    this.remedies = remedies;
  }
}

/** Formats a path in the usual notation, such as `upstreams[0].name`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    text += typeof part === 'number' ? `[${part}]` : `${text === '' ? '' : '.'}${String(part)}`;
  }
  return text;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined && issue.message.startsWith('Invalid input')) return 'is missing: add it';
    if (issue.message.startsWith('Invalid input')) return `must be ${describeType(issue.expected)}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}

function describeType(type: string): string {
  return (
    { string: 'text', record: 'a map', object: 'a map', array: 'a list', boolean: 'true or false' }[type] ?? `a ${type}`
  );
}
