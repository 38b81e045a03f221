import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres, postgresUser } from './postgres-programs.js';

const run = promisify(execFile);

/**
 * Creates a data directory for PostgreSQL, in a folder to which its user may write. `initdb` takes seconds, so a test
 * run calls it only once, and all servers start from copies.
 */
export async function createCluster(directory: string): Promise<void> {
  const runFolder = process.env['TEST_RUN_FOLDER'];
  if (runFolder === undefined) return initialize(directory);
  const template = join(runFolder, 'postgres');
  if (!existsSync(template)) await createTemplate(template);
  await run('cp', ['-a', template, directory]);
}

async function createTemplate(template: string): Promise<void> {
  const own = `${template}-${randomUUID()}`;
  await initialize(own);
  try {
    renameSync(own, template);
  } catch (error) {
    // Use the template that another test file has created in the meantime.
    if (!existsSync(template)) throw error;
  }
}

async function initialize(directory: string): Promise<void> {
  // WAL segments are small, because they are most of the data that is copied.
  const args = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--wal-segsize', '1', '-N'];
  await run(join(findPostgres() ?? '', 'initdb'), ['-D', directory, ...args], { ...postgresUser(), cwd: '/' });
}
