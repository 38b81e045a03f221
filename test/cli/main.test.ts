import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startAdmin, TOKEN, type Admin } from '../support/gateway/admin.ts';
import { root } from '../support/gateway/gateway.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
  for (let count = 0; count < 5; count++) await admin.post('/v1/keys', { name: 'a', owner: 'acme', plan: 'free' });
});
afterAll(() => admin.stop());

/** Runs a shell command in which `tollgate` calls the admin API. */
function shell(line: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const text = `tollgate() { ${process.execPath} ${join(root, 'bin/tollgate.js')} "$@"; }; ${line}`;
  const env = { PATH: process.env['PATH'], TOLLGATE_ADMIN_URL: admin.url, TOLLGATE_ADMIN_TOKEN: TOKEN };
  return new Promise((resolve) => {
    const child = execFile('bash', ['--norc', '-c', text], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('the command does not fail if the reader of its output stops early', async () => {
  const { out, err } = await shell('tollgate keys list | head -1');
  expect(out).toMatch(/^ID .*\n$/);
  expect(err).toBe('');
  expect(await shell('tollgate keys list | true; echo ${PIPESTATUS[0]}')).toEqual({ code: 0, out: '0\n', err: '' });
  expect((await shell('tollgate keys show key_none 2> >(true); exit $?')).code).toBe(1);
});

// The command once printed a stack trace.
test('a full disk is reported in one line', async () => {
  const { code, err } = await shell('tollgate keys list > /dev/full');
  expect([code, err]).toEqual([1, 'tollgate: cannot write the output (ENOSPC)\n']);
});

// The help once took 0.4 s, because the libraries of all commands were loaded.
test('printing the help does not load the libraries that commands need', () => {
  const program = `
    import { writeSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (writeSync(2, url + '\\n'), next(url, context)) });
    process.argv = [process.execPath, 'tollgate', '--help'];
    await import(${JSON.stringify(pathToFileURL(join(root, 'src/cli/cli-main.ts')).href)});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stderr).toContain('node_modules/commander/');
  expect(stderr).not.toMatch(/node:sqlite|node_modules\/(ajv|express|jose|kysely|pg|pino|undici|yaml|zod)\//);
});
