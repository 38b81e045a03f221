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
import { COMPANION_SUFFIXES, makeFolder, makePrivate, NO_WAIT, OWNER_ONLY, takeLock } from './sqlite-file.ts';

/** The file name of the records in a backup, regardless of the original name. */
export const RECORDS_NAME = 'tollgate.db';

/** The files of an installation with SQLite. */
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

/** Converts bytes to megabytes, rounded up so that no size is 0 MB. */
export function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

/** A file of a backup: its name there, and its path in the installation. */
interface BackupFile {
  readonly name: string;
  readonly path: string;
}

/**
 * Copies the databases and other files of an installation into a new folder, while a gateway may be running. All
 * databases are copied as of the same moment.
 *
 * @param folder must not exist or must be empty; it is created only once all files are copied
 * @returns the names of the files
 * @throws StartError if the backup fails
 */
export async function backUp(installation: Installation, folder: string, onProgress: OnProgress): Promise<string[]> {
  refuseUsedFolder(folder);
  const { records } = installation;
  if (!hasContent(records)) throw new StartError(`there is no database ${records}: nothing was backed up`);
  const databases = listDatabases(installation).filter(({ path }) => hasContent(path));
  const others = listOthers(installation).filter(({ path }) => existsSync(path));
  const unfinished = makeUnfinishedFolder(folder);
  const remove = () => rmSync(unfinished, { recursive: true, force: true });
  // Also remove the folder if the process is stopped, because an unfinished backup is useless.
  process.once('exit', remove);
  try {
    const copies = databases.map(({ name, path }) => ({ from: path, to: join(unfinished, name) }));
    await copyDatabases(copies, onProgress);
    for (const { name, path } of others) copyPrivately(path, join(unfinished, name));
    renameSync(unfinished, folder);
  } catch (error) {
    throw toReadableError(error, `cannot write the backup ${folder}`, 'check its path, permissions and free space');
  } finally {
    remove();
    process.off('exit', remove);
  }
  return [...databases, ...others].map(({ name }) => name);
}

/**
 * Copies the files of a backup into an installation, which must have no files yet. No gateway may be running.
 *
 * @returns the names of the files
 * @throws StartError if the restore fails; the records are then missing, so that no gateway starts with half of a
 *   backup
 */
export async function restore(folder: string, installation: Installation, onProgress: OnProgress): Promise<string[]> {
  if (!hasContent(join(folder, RECORDS_NAME))) {
    throw new StartError(`${folder} is not a backup: it has no ${RECORDS_NAME}`);
  }
  const isBackedUp = ({ name }: BackupFile) => isFileIn(folder, name);
  const databases = listDatabases(installation);
  const others = listOthers(installation);
  using cleanUp = new DisposableStack();
  try {
    for (const { path } of databases) {
      makeFolder(dirname(path));
      cleanUp.defer(await takeLock(path, NO_WAIT));
    }
    refuseUsedPlaces([...databases, ...others]);
    const place = ({ name, path }: BackupFile) => ({ from: join(folder, name), to: `${path}.restored`, path });
    const places = databases.filter(isBackedUp).map(place);
    const otherPlaces = others.filter(isBackedUp).map(place);
    const allPlaces = [...places, ...otherPlaces];
    const remove = () => allPlaces.forEach(({ to }) => rmSync(to, { force: true }));
    // Remove leftovers first: if one were a symbolic link, SQLite would write to its target.
    remove();
    cleanUp.defer(remove);
    await copyDatabases(places, onProgress);
    for (const { from, to } of otherPlaces) copyPrivately(from, to);
    // Rename the records last. A gateway does not start with only the other files, so an interrupted restore is
    // noticed.
    for (const { to, path } of allPlaces.toReversed()) renameSync(to, path);
    return [...databases, ...others].filter(isBackedUp).map(({ name }) => name);
  } catch (error) {
    throw toReadableError(error, `cannot restore ${folder}`, 'check paths, permissions and free space');
  }
}

/**
 * Whether the folder has this file. @throws StartError for a pipe, because reading it would wait for a writer, and for
 * a symbolic link, because it may lead anywhere
 */
function isFileIn(folder: string, name: string): boolean {
  const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile())
    throw new StartError(`${join(folder, name)} is not a file: copy it there`);
  return stats !== undefined;
}

/**
 * Lists the records first, so that their snapshot is the oldest. A quota without its key does no harm, but a key
 * without its quota would start with unused limits.
 */
function listDatabases({ records, dataDir }: Installation): BackupFile[] {
  const inDataDir = [COUNTERS_FILE, HISTORY_FILE].map((name) => ({ name, path: join(dataDir, name) }));
  return [{ name: RECORDS_NAME, path: records }, ...inDataDir];
}

function listOthers({ dataDir, otherFiles }: Installation): BackupFile[] {
  return otherFiles.map((name) => ({ name, path: join(dataDir, name) }));
}

function refuseUsedFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isDirectory() && readdirSync(folder).length === 0)) return;
  throw new StartError(`${folder} ${stats.isDirectory() ? 'is not empty' : 'is not a folder'}: name a new folder`);
}

function refuseUsedPlaces(places: readonly BackupFile[]): void {
  const files = places.flatMap(({ path }) => ['', ...COMPANION_SUFFIXES].map((suffix) => path + suffix)).filter(isUsed);
  if (files.length === 0) return;
  throw new StartError(
    `there is data already: ${files.join(', ')}. Move ${files.length === 1 ? 'that file' : 'those files'} out of the way, or set ` +
      'TOLLGATE_DATA_DIR to an empty folder',
  );
}

/** Whether a path is in use. Any symbolic link counts, because a database is always a regular file. */
function isUsed(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Creates a temporary folder next to the requested folder, so that it can be renamed to it. */
function makeUnfinishedFolder(folder: string): string {
  try {
    makeFolder(dirname(folder));
    return mkdtempSync(`${folder}.unfinished-`);
  } catch (error) {
    throw toReadableError(error, `cannot write the backup ${folder}`, 'check its path and permissions');
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

/** Copies the current state of databases, including their write-ahead logs. Each copy is a single file. */
async function copyDatabases(copies: readonly Copy[], onProgress: OnProgress): Promise<void> {
  using opened = new DisposableStack();
  // Open all snapshots before the first copy, because copying one database may take minutes.
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
/** Maximum wait for a database that is recovering its write-ahead log. */
const BUSY_TIMEOUT_MS = 10_000;

/** Opens a database in a read transaction, which sees the state at its start however long it lasts. */
function openSnapshot(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.exec('BEGIN');
    // The read transaction begins only with the first query.
    sqlite.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw explainCorruption(error, file);
  }
}

function readSize(sqlite: DatabaseSync): number {
  const pragma = (name: string) => Number(sqlite.prepare(`PRAGMA ${name}`).get()?.[name]);
  return pragma('page_count') * pragma('page_size');
}

/** Checks the integrity of a copy. @throws StartError if the copy is corrupt, because then the original is too */
function checkCopy(from: string, to: string): void {
  using sqlite = new DatabaseSync(to);
  try {
    // Leave the copy without a write-ahead log next to it.
    sqlite.exec('PRAGMA journal_mode = DELETE');
    const result = String(sqlite.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']);
    if (result !== 'ok') throw createCorruptError(from, result);
  } catch (error) {
    throw explainCorruption(error, from);
  }
}

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

function explainCorruption(error: unknown, file: string): unknown {
  const { errcode = 0, message } = error as { errcode?: number; message: string };
  return [CORRUPT, NOT_A_DATABASE].includes(errcode & 0xff) ? createCorruptError(file, message) : error;
}

function createCorruptError(file: string, reason: string): StartError {
  return new StartError(`database ${file} is corrupt (${reason.split('\n', 1)[0]}): it was not copied`);
}

function toReadableError(error: unknown, what: string, remedy: string): unknown {
  if (error instanceof StartError || !Error.isError(error)) return error;
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (errcode === undefined && code?.startsWith('E') !== true) return error;
  return new StartError(`${what} (${error.message}): ${remedy}`);
}
