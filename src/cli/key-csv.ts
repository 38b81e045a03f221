import { findNearest } from '../base/portable/nearest.ts';
import { isDateTime } from '../base/time.ts';
import { DOCUMENT_FILE } from '../control-plane/admin/resources/admin-document.ts';
import { readParts } from '../control-plane/api-server/api-document.ts';
import { Schemas, type Validator, withTextChecked } from '../base/json-schemas.ts';
import type { NewKeyBody } from '../control-plane/admin/resources/keys.ts';
import { checkKeyLimits, type Plan } from '../domain/plan.ts';
import { readCsv, type CsvRecord } from './csv.ts';

/** A key to create, and its line in the file. */
export interface NewKey {
  readonly line: number;
  /** The key to create. There is no column for `metadata`, and `random` applies to the whole file. */
  readonly key: Omit<NewKeyBody, 'metadata' | 'random'>;
}

export interface KeyFile {
  readonly keys: readonly NewKey[];
  /** Error messages with line numbers. */
  readonly errors: readonly string[];
}

export const COLUMNS = [
  'owner',
  'name',
  'plan',
  'minute',
  'day',
  'month',
  'concurrent',
  'expiresAt',
  'operations',
  'addresses',
  'validation',
  'externalId',
  'sha256',
  'prefix',
  'lastFour',
] as const;
const REQUIRED_COLUMNS = ['owner', 'name', 'plan'];

type Row = Partial<Record<string, string>>;

/** Parses keys from CSV text, and finds all errors that can be found without the gateway. */
export function readKeyFile(text: string, plans: readonly Plan[], now: number): KeyFile {
  const { records, errors: malformed } = readCsv(text);
  const [header, ...rows] = records;
  const wrongHeader = checkHeader(header);
  if (header === undefined || wrongHeader.length > 0) return { keys: [], errors: wrongHeader };

  const check = createCheck(new Map(plans.map((plan) => [plan.id, plan])), now);
  const found = malformed.map(({ line, what }) => ({ line, what }));
  const keys = rows.flatMap(({ line, cells }) => {
    const { key, errors } = readRow(header.cells, { line, cells }, check);
    found.push(...errors.map((what) => ({ line, what })));
    return key === null ? [] : [key];
  });
  if (keys.length + found.length === 0) return { keys, errors: ['the file has a header and no keys'] };
  found.sort((one, other) => one.line - other.line);
  return { keys, errors: found.map(({ line, what }) => `line ${line}: ${what}`) };
}

function checkHeader(header: CsvRecord | undefined): string[] {
  const known = `start the file with a header line of the columns ${COLUMNS.join(',')} (all but the first three are optional)`;
  if (header === undefined) return [`the file is empty: ${known}`];
  const { cells, line } = header;
  const unknown = cells.filter((cell) => !COLUMNS.some((column) => column === cell));
  const twice = cells.filter((cell, index) => cells.indexOf(cell) < index);
  const missing = REQUIRED_COLUMNS.filter((column) => !cells.includes(column));
  const [only = ''] = cells;
  if (cells.length === 1 && only.includes(';')) {
    return [`line ${line}: the cells are separated by semicolons: save the file with commas as separators`];
  }
  const errors = [
    ...unknown.map((cell) => `unknown column ${JSON.stringify(cell)}: ${suggestColumn(cell) ?? known}`),
    ...twice.map((cell) => `duplicate column ${cell}`),
    ...missing
      .filter((column) => !unknown.some((cell) => findSimilarColumn(cell) === column))
      .map((column) => `missing column ${column}: ${known}`),
  ];
  return errors.map((what) => `line ${line}: ${what}`);
}

/** The column that was probably meant by a misspelled name. */
function findSimilarColumn(cell: string): string | null {
  return findNearest(cell.trim(), COLUMNS);
}

function suggestColumn(cell: string): string | null {
  const column = findSimilarColumn(cell);
  return column === null ? null : `write it as ${column}`;
}

function readRow(columns: readonly string[], { line, cells }: CsvRecord, check: Check) {
  if (cells.length !== columns.length) {
    return { key: null, errors: [`${cells.length} cells, but the header has ${columns.length}`] };
  }
  const row: Row = Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
  const { owner = '', name = '', plan = '', minute = '', day = '', month = '', expiresAt = '' } = row;
  const { operations = '', addresses = '', externalId = '', sha256 = '', prefix = '', lastFour = '' } = row;
  const { concurrent = '', validation = '' } = row;
  const hasLimits = minute !== '' || day !== '' || month !== '';
  const limits = hasLimits
    ? { minute: toNumber(minute), day: toNumber(day), ...(month === '' ? {} : { month: toNumber(month) }) }
    : null;
  const restrictions = { operations: toList(operations), addresses: toList(addresses) };
  const secret = Object.fromEntries(Object.entries({ sha256, prefix, lastFour }).filter(([, cell]) => cell !== ''));
  const given = { ...restrictions, ...secret, externalId: externalId === '' ? null : externalId };
  const concurrentLimit = concurrent === '' ? null : toNumber(concurrent);
  const key = {
    owner,
    name,
    plan,
    limits,
    concurrent: concurrentLimit,
    // The schema rejects any other value.
    validation: validation === '' ? null : (validation as 'report'),
    expiresAt: expiresAt === '' ? null : expiresAt,
    ...given,
  };
  const errors = check(key);
  return { key: errors.length > 0 ? null : { line, key }, errors };
}

/** Parses a number. The result for any other text is NaN, which the schema rejects. */
function toNumber(cell: string): number {
  return /^\d+$/.test(cell) ? Number(cell) : NaN;
}

/** Parses a list of entries separated by commas; null for an empty cell. */
function toList(cell: string): string[] | null {
  return cell === '' ? null : cell.split(',').map((entry) => entry.trim());
}

type Check = (key: NewKey['key']) => string[];

function createCheck(plans: ReadonlyMap<string, Plan>, now: number): Check {
  const validate = createKeyValidator();
  return (key) => {
    const errors = (validate({ ...key }, '') ?? []).map(({ path, message }) => `${findColumn(path)} ${message}`);
    if (errors.length > 0) return errors;
    const { expiresAt } = key;
    if (expiresAt !== null && isDateTime(expiresAt) && Date.parse(expiresAt) <= now) {
      errors.push('expiresAt must be in the future');
    }
    const plan = plans.get(key.plan);
    if (plan === undefined) return [...errors, `there is no plan ${key.plan}`];
    try {
      checkKeyLimits(plan, key.limits);
    } catch (error) {
      errors.push((error as Error).message);
    }
    return errors;
  };
}

/** A validator with the API's own schema, so that the API accepts every key that passes. */
function createKeyValidator(): Validator {
  return withTextChecked(new Schemas(readParts(DOCUMENT_FILE).value).at(['components', 'schemas', 'NewKey']), {});
}

/** The column for a path in a key, such as `minute` for `/limits/minute`, or `operations` for `/operations/0`. */
export function findColumn(path: string): string {
  return path.split('/').findLast((step) => COLUMNS.some((column) => column === step)) ?? path;
}
