import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { gatewayConfig } from '../scripts/build/gateway-config.ts';
import { isNewest } from '../src/load-start.ts';
import { root } from './support/gateway/gateway.ts';
import { runGateway } from './support/gateway/process.ts';
import { RedisServer } from './support/servers/redis-server.ts';
import { tempFolder } from './support/temp-folder.ts';

const TOKEN = 'a token of at least 32 characters'.replaceAll(' ', '-');
const data = tempFolder();
const name = `dist/for-test-${process.pid}`;
const built = join(root, name);
beforeAll(async () => {
  await build({ ...gatewayConfig(built), logLevel: 'warn' });
});
afterAll(() => {
  data.remove();
  rmSync(built, { recursive: true, force: true });
});

test('what is built finds its documents, its scripts and its worker, and runs with every store', async () => {
  const redis = await RedisServer.start();
  const main = join(name, 'main.js');
  writeFileSync(join(root, main), `import { start } from './start.js';\nawait start();\n`);
  const gateway = await runGateway(data.path, { TOLLGATE_STORE: redis.url, TOLLGATE_ADMIN_TOKEN: TOKEN }, main);
  const [, key = ''] = await gateway.said(/X-API-Key: (\w+)/);
  const headers = { 'X-API-Key': key };
  const get = async (path: string) => (await fetch(`${gateway.publicUrl}${path}`, { headers })).json();
  expect(await get('/pets/1')).toMatchObject({ id: 1, name: 'Rex' });
  expect(await get('/_gateway/usage')).toMatchObject({ windows: [{ used: 1 }, { used: 1 }] });
  expect(await get('/_gateway/openapi.json')).toMatchObject({ paths: { '/_gateway/usage': {} } });
  expect(await get('/_gateway/usage/history')).toHaveProperty('every');
  const admin = { Authorization: `Bearer ${TOKEN}` };
  expect((await fetch(`${gateway.adminUrl}/v1/openapi.json`, { headers: admin })).status).toBe(200);
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended()).toBe(0);
  await redis.stop();
});

test('it is used only while nothing else is newer', () => {
  const [file, source] = [join(data.path, 'built.js'), join(data.path, 'source.ts')];
  writeFileSync(source, '');
  expect(isNewest(file, [source])).toBe(false);
  writeFileSync(file, '');
  utimesSync(source, 1000, 1000);
  utimesSync(file, 1000, 1000);
  expect(isNewest(file, [source])).toBe(true);
  expect(isNewest(file, [source, join(data.path, 'missing')])).toBe(true);
  utimesSync(source, 1001, 1001);
  expect(isNewest(file, [source])).toBe(false);
});

/** What a program writes, with V8's collector as it is or as the gateway sets it. */
function written(options: readonly string[], program: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [...options, '--input-type=module', '--eval', program], {
    cwd: root,
    maxBuffer: 1e8,
  });
}
const TUNED = "(await import('./src/load-start.ts')).tuneCollector();";

test('V8 puts nothing into the old generation at once, however long its like has lived', async () => {
  const options = ['--trace-pretenuring-statistics'];
  const longLived = 'const kept = []; for (let i = 0; i < 1_000_000; i++) kept.push({ i, also: [i] });';
  expect((await written(options, longLived)).stdout).toMatch(/=> (?:maybe )?tenure$/m);
  expect((await written(options, `${TUNED} ${longLived}`)).stdout).not.toMatch(/=> (?:maybe )?tenure$/m);
});

test('V8 knows the flags that it is given', async () => {
  expect(await written(['--disable-warning=ExperimentalWarning'], TUNED)).toMatchObject({ stdout: '', stderr: '' });
  const unknown = "import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--no-such-flag');";
  expect((await written([], unknown)).stderr).toContain('--no-such-flag');
});
