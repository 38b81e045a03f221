import { isDateTime } from '../base/time.ts';
import { DOCUMENT_FILE } from '../control-plane/admin/resources/document.ts';
import { readParts } from '../control-plane/api/document.ts';
import { Schemas, type Validator, withTextChecked } from '../base/json-schemas.ts';
import type { NewKeyBody } from '../control-plane/admin/resources/keys.ts';
import { checkLimits, type Plan } from '../control-plane/registry/plan.ts';
import { readCsv, type CsvRecord } from './csv.ts';

/** A key to create, and the line of the file that asks for it. */
export interface WantedKey {
  readonly line: number;
  readonly key: Pick<NewKeyBody, 'owner' | 'name' | 'plan' | 'limits' | 'expiresAt'>;
}

export interface KeyFile {
  readonly keys: readonly WantedKey[];
  /** One text each, with the line number. */
  readonly faults: readonly string[];
}

export const COLUMNS = ['owner', 'name', 'plan', 'minute', 'day', 'expiresAt'] as const;
const NEEDED = ['owner', 'name', 'plan'];

type Row = Partial<Record<string, string>>;

/** Reads keys from CSV text, and finds every fault that can be found without the gateway. */
export function readKeyFile(text: string, plans: readonly Plan[], now: number): KeyFile {
  const { records, faults: malformed } = readCsv(text);
  const [header, ...rows] = records;
  const wrongHeader = checkHeader(header);
  if (header === undefined || wrongHeader.length > 0) return { keys: [], faults: wrongHeader };

  const check = createCheck(new Map(plans.map((plan) => [plan.id, plan])), now);
  const found = malformed.map(({ line, what }) => ({ line, what }));
  const keys = rows.flatMap(({ line, cells }) => {
    const { wanted, faults } = readRow(header.cells, { line, cells }, check);
    found.push(...faults.map((what) => ({ line, what })));
    return wanted === null ? [] : [wanted];
  });
  if (keys.length + found.length === 0) return { keys, faults: ['the file has a header and nothing else'] };
  found.sort((one, other) => one.line - other.line);
  return { keys, faults: found.map(({ line, what }) => `line ${line}: ${what}`) };
}

function checkHeader(header: CsvRecord | undefined): string[] {
  const known = `a header line is needed, with the columns ${COLUMNS.join(',')} (the last three may be left out)`;
  if (header === undefined) return [`the file is empty: ${known}`];
  const { cells, line } = header;
  const unknown = cells.filter((cell) => !COLUMNS.some((column) => column === cell));
  const twice = cells.filter((cell, index) => cells.indexOf(cell) < index);
  const missing = NEEDED.filter((column) => !cells.includes(column));
  const faults = [
    ...unknown.map((cell) => `has a column ${JSON.stringify(cell)} that is not known: ${known}`),
    ...twice.map((cell) => `has the column ${cell} twice`),
    ...missing.map((column) => `lacks the column ${column}: ${known}`),
  ];
  return faults.map((what) => `line ${line}: ${what}`);
}

function readRow(columns: readonly string[], { line, cells }: CsvRecord, check: Check) {
  if (cells.length !== columns.length) {
    return { wanted: null, faults: [`has ${cells.length} cells where the header has ${columns.length}`] };
  }
  const row: Row = Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
  const { owner = '', name = '', plan = '', minute = '', day = '', expiresAt = '' } = row;
  const hasLimits = minute !== '' || day !== '';
  const limits = hasLimits ? { minute: toNumber(minute), day: toNumber(day) } : null;
  const key = { owner, name, plan, limits, expiresAt: expiresAt === '' ? null : expiresAt };
  const faults = check(key);
  return { wanted: faults.length > 0 ? null : { line, key }, faults };
}

/** NaN for what is not a number: the schema refuses it. */
function toNumber(cell: string): number {
  return /^\d+$/.test(cell) ? Number(cell) : NaN;
}

type Check = (key: WantedKey['key']) => string[];

function createCheck(plans: ReadonlyMap<string, Plan>, now: number): Check {
  const validate = newKeySchema();
  return (key) => {
    const faults = (validate({ ...key }, '') ?? []).map(({ path, message }) => `${columnOf(path)} ${message}`);
    if (faults.length > 0) return faults;
    const { expiresAt } = key;
    if (expiresAt !== null && isDateTime(expiresAt) && Date.parse(expiresAt) <= now) {
      faults.push('expiresAt must be in the future');
    }
    const plan = plans.get(key.plan);
    if (plan === undefined) return [...faults, `plan must be the id of a plan: there is no ${key.plan}`];
    try {
      checkLimits(plan, key.limits);
    } catch (error) {
      faults.push((error as Error).message);
    }
    return faults;
  };
}

/** The schema of the API itself, so that what passes here passes there. */
function newKeySchema(): Validator {
  return withTextChecked(new Schemas(readParts(DOCUMENT_FILE).value).at(['components', 'schemas', 'NewKey']), {});
}

/** The column for `/limits/minute` is `minute`. */
function columnOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}
