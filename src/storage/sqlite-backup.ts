import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { StartError } from '../base/error-types.ts';
import { COUNTERS_FILE } from './counters.ts';
import { HISTORY_FILE } from './history-tables.ts';
import { COMPANIONS, makeFolder, makePrivate, NO_WAIT, OWNER_ONLY, takeLock } from './sqlite-file.ts';

/** The file name of the records in a backup, whatever the original file is called. */
export const RECORDS_NAME = 'tollgate.db';

/** An installation with SQLite. */
export interface Installation {
  /** The file of the records. */
  readonly records: string;
  /** The folder of counters, history and other files. */
  readonly dataDir: string;
  /** Names of other files of the installation in the data directory. */
  readonly otherFiles: readonly string[];
}

/** Called with the number of bytes copied so far, and the total. */
export type OnProgress = (done: number, total: number) => void;

/** Rounded up, so that no size is 0 MB. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

/** Where a file of a backup belongs. */
interface Place {
  readonly name: string;
  readonly path: string;
}

/**
 * Copies the databases of an installation and its other files into a new folder. A gateway may run in the meantime. All
 * databases are copied as of one moment, including everything that the gateway had written by then.
 *
 * @param folder must not exist, or be empty; it appears only when it has all files
 * @returns the names of the files
 * @throws StartError if the backup fails
 */
export async function backUp(installation: Installation, folder: string, onProgress: OnProgress): Promise<string[]> {
  refuseUsedFolder(folder);
  const { records } = installation;
  if (!hasContent(records)) throw new StartError(`there is no database ${records}: nothing was backed up`);
  const databases = listDatabases(installation).filter(({ path }) => hasContent(path));
  const others = listOthers(installation).filter(({ path }) => existsSync(path));
  const unfinished = makeUnfinished(folder);
  const remove = () => rmSync(unfinished, { recursive: true, force: true });
  // The folder is also removed if the process is stopped, because an unfinished backup is useless.
  process.once('exit', remove);
  try {
    const copies = databases.map(({ name, path }) => ({ from: path, to: join(unfinished, name) }));
    await copyDatabases(copies, onProgress);
    for (const { name, path } of others) copyPrivately(path, join(unfinished, name));
    renameSync(unfinished, folder);
  } catch (error) {
    throw readable(error, `cannot write the backup ${folder}`, 'check its path, permissions and free space');
  } finally {
    remove();
    process.off('exit', remove);
  }
  return [...databases, ...others].map(({ name }) => name);
}

/**
 * Puts the files of a backup in place. There must be no files yet, and no gateway may run.
 *
 * @returns the names of the files
 * @throws StartError if the restore fails. The records are not in place then, and no gateway starts without them
 */
export async function restore(folder: string, installation: Installation, onProgress: OnProgress): Promise<string[]> {
  if (!hasContent(join(folder, RECORDS_NAME))) {
    throw new StartError(`${folder} is not a backup: it has no ${RECORDS_NAME}`);
  }
  const isBackedUp = ({ name }: Place) => isFileIn(folder, name);
  const databases = listDatabases(installation);
  const others = listOthers(installation);
  using cleanUp = new DisposableStack();
  try {
    for (const { path } of databases) {
      makeFolder(dirname(path));
      cleanUp.defer(await takeLock(path, NO_WAIT));
    }
    refuseUsedPlaces([...databases, ...others]);
    const place = ({ name, path }: Place) => ({ from: join(folder, name), to: `${path}.restored`, path });
    const places = databases.filter(isBackedUp).map(place);
    const otherPlaces = others.filter(isBackedUp).map(place);
    const all = [...places, ...otherPlaces];
    const remove = () => all.forEach(({ to }) => rmSync(to, { force: true }));
    // Remove the file first. If it were a symbolic link, SQLite would write to its target.
    remove();
    cleanUp.defer(remove);
    await copyDatabases(places, onProgress);
    for (const { from, to } of otherPlaces) copyPrivately(from, to);
    // The records come last. A gateway does not start with only the other files, so an interrupted restore is noticed.
    for (const { to, path } of all.toReversed()) renameSync(to, path);
    return [...databases, ...others].filter(isBackedUp).map(({ name }) => name);
  } catch (error) {
    throw readable(error, `cannot restore ${folder}`, 'check paths, permissions and free space');
  }
}

/**
 * @throws StartError for a pipe, because reading would wait for a writer, and for a link, because it may lead anywhere
 */
function isFileIn(folder: string, name: string): boolean {
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw new StartError(`${join(folder, name)} is not a file: copy it there`);
  return found !== undefined;
}

/**
 * The records come first, because an older state of the records does no harm: a quota without its key is never used,
 * but a key without its quota could be used again.
 */
function listDatabases({ records, dataDir }: Installation): Place[] {
  const inDataDir = [COUNTERS_FILE, HISTORY_FILE].map((name) => ({ name, path: join(dataDir, name) }));
  return [{ name: RECORDS_NAME, path: records }, ...inDataDir];
}

function listOthers({ dataDir, otherFiles }: Installation): Place[] {
  return otherFiles.map((name) => ({ name, path: join(dataDir, name) }));
}

function refuseUsedFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || (found.isDirectory() && readdirSync(folder).length === 0)) return;
  throw new StartError(`${folder} ${found.isDirectory() ? 'is not empty' : 'is not a folder'}: name a new folder`);
}

function refuseUsedPlaces(places: readonly Place[]): void {
  const files = places.flatMap(({ path }) => ['', ...COMPANIONS].map((suffix) => path + suffix)).filter(isUsed);
  if (files.length === 0) return;
  throw new StartError(
    `there is data already: ${files.join(', ')}. Move ${files.length === 1 ? 'that file' : 'those files'} out of the way, or set ` +
      'TOLLGATE_DATA_DIR to an empty folder',
  );
}

/** Whether a place is taken. Any link counts, because a database is always a file. */
function isUsed(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A temporary folder next to the requested folder, so that it can be renamed. */
function makeUnfinished(folder: string): string {
  try {
    makeFolder(dirname(folder));
    return mkdtempSync(`${folder}.unfinished-`);
  } catch (error) {
    throw readable(error, `cannot write the backup ${folder}`, 'check its path and permissions');
  }
}

function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, OWNER_ONLY);
}

interface Copy {
  readonly from: string;
  readonly to: string;
}

/** Copies databases as they are now, including their write-ahead logs. Each copy is one file. */
async function copyDatabases(copies: readonly Copy[], onProgress: OnProgress): Promise<void> {
  using opened = new DisposableStack();
  // Open all snapshots before the first copy, because copying may take minutes.
  const snapshots = copies.map(({ from }) => opened.use(openSnapshot(from)));
  const sizes = snapshots.map(readSize);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  for (const [index, { from, to }] of copies.entries()) {
    const size = sizes[index] ?? 0;
    const copied = before;
    makePrivate(to);
    await backup(snapshots[index] as DatabaseSync, to, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onProgress(copied + Math.round((size * (totalPages - remainingPages)) / totalPages), total),
    });
    checkCopy(from, to);
    before += size;
    onProgress(before, total);
  }
}

const PAGES_PER_STEP = 1000;
/** How long to wait for a database whose write-ahead log is being recovered. */
const BUSY_TIMEOUT_MS = 10_000;

/** Opens a database in a transaction that sees its present state, however long the transaction lasts. */
function openSnapshot(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.exec('BEGIN');
    // The transaction begins with the first query.
    sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw explained(error, file);
  }
}

function readSize(sqlite: DatabaseSync): number {
  const pragma = (name: string) => Number(sqlite.prepare(`PRAGMA ${name}`).get()?.[name]);
  return pragma('page_count') * pragma('page_size');
}

/** @throws StartError if the copy is corrupt, because the original must be corrupt too */
function checkCopy(from: string, to: string): void {
  using sqlite = new DatabaseSync(to);
  try {
    // This way, the copy has no write-ahead log next to it.
    sqlite.exec('PRAGMA journal_mode = DELETE');
    const result = String(sqlite.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']);
    if (result !== 'ok') throw corrupt(from, result);
  } catch (error) {
    throw explained(error, from);
  }
}

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

function explained(error: unknown, file: string): unknown {
  const { errcode = 0, message } = error as { errcode?: number; message: string };
  return [CORRUPT, NOT_A_DATABASE].includes(errcode & 0xff) ? corrupt(file, message) : error;
}

function corrupt(file: string, reason: string): StartError {
  return new StartError(`database ${file} is corrupt (${reason.split('\n', 1)[0]}): it was not copied`);
}

function readable(error: unknown, what: string, remedy: string): unknown {
  if (error instanceof StartError || !Error.isError(error)) return error;
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (errcode === undefined && code?.startsWith('E') !== true) return error;
  return new StartError(`${what} (${error.message}): ${remedy}`);
}
