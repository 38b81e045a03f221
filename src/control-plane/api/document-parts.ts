import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Faults } from '../../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { readYaml, type YamlFile } from '../../base/yaml.ts';

/** What the admin API and the portal's have in common. */
const SHARED = join(import.meta.dirname, 'openapi');

interface Entry {
  /** Such as `components`, `schemas`, `Key`. */
  readonly at: readonly string[];
  readonly value: unknown;
}

/**
 * Reads the document of an API whole: it stands in the files of a folder, each with the paths and components of one
 * subject, and in those that the APIs share.
 *
 * @param file the one that says what the API is
 * @throws ConfigError if a file cannot be read, or two have the same
 */
export function readParts(file: string): YamlFile & { readonly value: JsonObject } {
  const faults = new Faults();
  const whole: Record<string, unknown> = {};
  const parts = new Map<string, YamlFile>();
  for (const part of filesOf(file).flatMap((path) => readYaml(path, faults) ?? [])) {
    for (const { at, value } of entriesOf(part.value)) {
      const name = at.join(' ');
      const other = parts.get(name);
      if (other !== undefined) faults.add(part.locate(at), name, `stands in ${other.path}, too: one must go`);
      parts.set(name, part);
      put(whole, at, value);
    }
  }
  faults.throwIfAny();
  const partWith = (at: readonly PropertyKey[]) =>
    [3, 2, 1].map((length) => parts.get(at.slice(0, length).join(' '))).find((part) => part !== undefined);
  return { path: file, value: whole, locate: (at) => partWith(at)?.locate(at) ?? file };
}

function filesOf(file: string): string[] {
  const others = [dirname(file), SHARED].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  return [file, ...others.filter((other) => other !== file && other.endsWith('.yaml'))];
}

function entriesOf(value: unknown): Entry[] {
  return entries([], value).flatMap((entry) => {
    if (entry.at[0] === 'paths') return entries(entry.at, entry.value);
    if (entry.at[0] !== 'components') return [entry];
    return entries(entry.at, entry.value).flatMap(({ at, value: kind }) => entries(at, kind));
  });
}

function entries(at: readonly string[], value: unknown): Entry[] {
  return Object.entries(isObject(value) ? value : {}).map(([key, entry]) => ({ at: [...at, key], value: entry }));
}

function put(target: Record<string, unknown>, at: readonly string[], value: unknown): void {
  const [key = '', ...rest] = at;
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}) as Record<string, unknown>, rest, value);
}
