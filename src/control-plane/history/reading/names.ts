import { ALL, NO_NAME } from '../../../storage/history-tables.ts';
import { type Group, type Reader, Values } from './reader.ts';

/** The numbers of those names that have any. */
export async function numbersOf(reader: Reader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const values = new Values();
  const rows = await reader.rows(
    `SELECT no, name FROM history_names WHERE no NOT IN (${NO_NAME}, ${ALL}) AND name IN (${values.addAll(names)})`,
    values.list,
  );
  return new Map(rows.map(({ no, name }) => [String(name), Number(no)]));
}

/** @returns the name of each of the groups; null: it has none */
export async function namesOf(reader: Reader, groups: readonly Group[]): Promise<(group: Group) => string | null> {
  const numbers = groups.filter((group) => typeof group === 'number');
  const names = new Map<number, string>();
  if (numbers.length > 0) {
    const values = new Values();
    const text = `SELECT no, name FROM history_names WHERE no IN (${values.addAll(numbers)})`;
    for (const { no, name } of await reader.rows(text, values.list)) names.set(Number(no), String(name));
  }
  return (group) => {
    if (typeof group !== 'number') return group;
    return group === NO_NAME ? null : (names.get(group) ?? null);
  };
}
