/**
 * In a rolling restart, the new gateway starts while the old one drains, and waits for the old one's files. It once
 * waited for up to 14 seconds without a log line, which looked like a hanging start.
 */
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { takeLock } from '../../src/storage/sqlite-file.ts';
import { root } from '../support/gateway/gateway.ts';
import { run } from '../support/gateway/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
afterEach(() => folder.remove());

test('a gateway that waits for another one logs that once per file, before it waits', async () => {
  const names = ['tollgate.db', 'counters.db', 'history.db'];
  const locks = await Promise.all(names.map((name) => takeLock(join(folder.path, name), { limitMs: 0, onWait() {} })));
  const gateway = run('src/main.ts', [], {
    TOLLGATE_CONFIG: join(root, 'config/gateway.yaml'),
    TOLLGATE_DATA_DIR: folder.path,
    TOLLGATE_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_PORTAL_PORT: '0',
  });
  for (const [index, name] of names.entries()) {
    const [line] = await gateway.waitForOutput(new RegExp(`.*database ${join(folder.path, name)} is in use by .*`));
    expect(line).toContain(`in use by process ${process.pid} on `);
    expect(line).toMatch(/: waiting up to \d+ s for that process to stop/);
    locks[index]!();
  }
  await gateway.waitForOutput(/"publicUrl"/);
  expect(gateway.output().match(/is in use by/g)).toHaveLength(names.length);
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended()).toBe(0);
});
