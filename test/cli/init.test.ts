import { expect, test } from '@jest/globals';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { runCommand } from '../support/gateway/cli.ts';
import { contractDocument } from '../support/gateway/gateway-with-upstreams.ts';
import { root } from '../support/gateway/gateway.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('init writes a configuration with the pet store, and says what to do next', async () => {
  const cwd = temporaryDirectory();
  const { code, out, err } = await runCommand(['init'], { cwd });
  expect([code, err]).toEqual([0, '']);
  expect(readdirSync(cwd).toSorted()).toEqual(['gateway.yaml', 'petstore.openapi.yaml', 'plans.yaml']);
  expect(out).toMatch(
    /^Created gateway\.yaml, plans\.yaml, petstore\.openapi\.yaml in .*\n\nNext:\n\n {2}tollgate start\n/,
  );
  const [upstream] = loadConfig({}, cwd).live.upstreams;
  expect(upstream).toMatchObject({ name: 'petstore', service: { module: join(root, 'src/petstore/upstream.ts') } });
  expect((await runCommand(['config', 'check'], { cwd })).out).toContain(`${join(cwd, 'gateway.yaml')} is valid.`);
});

test('init can use another folder, and the document and URL of an existing service', async () => {
  const cwd = temporaryDirectory();
  copyFileSync(contractDocument, join(cwd, 'My Shop.openapi.yaml'));
  const args = ['init', 'new/gateway', '--openapi', 'My Shop.openapi.yaml', '--target', 'http://127.0.0.1:9001'];
  const { code, out } = await runCommand(args, { cwd, env: { npm_command: 'exec' } });
  expect([code, out]).toEqual([0, expect.stringContaining('\n  cd new/gateway\n  npx tollgate start\n')]);
  expect(out).toContain('npx tollgate keys create --owner me');
  const [upstream] = loadConfig({}, join(cwd, 'new/gateway')).live.upstreams;
  expect(upstream).toMatchObject({ name: 'my-shop', service: { targets: ['http://127.0.0.1:9001'] } });
});

test('init overwrites no existing file', async () => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'plans.yaml'), 'mine');
  const message = `tollgate: plans.yaml already exists in ${cwd}, so nothing was written\n`;
  expect(await runCommand(['init'], { cwd })).toMatchObject({ code: 1, out: '', err: message });
  expect([readFileSync(join(cwd, 'plans.yaml'), 'utf8'), readdirSync(cwd)]).toEqual(['mine', ['plans.yaml']]);
});

test('init uses a document that is already in the folder', async () => {
  const cwd = temporaryDirectory();
  copyFileSync(contractDocument, join(cwd, 'shop.openapi.yaml'));
  const args = ['init', '--openapi', 'shop.openapi.yaml', '--target', 'http://127.0.0.1:9001'];
  expect(await runCommand(args, { cwd })).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(join(cwd, 'shop.openapi.yaml'), 'utf8')).toBe(readFileSync(contractDocument, 'utf8'));
});

test('init reports errors in a document with file and line', async () => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'api.yaml'), 'openapi: 3.1.0\npaths: { "/a/*": { get: {} } }\n');
  const args = ['init', 'here', '--openapi', 'api.yaml', '--target', 'http://127.0.0.1:9001'];
  const { code, err } = await runCommand(args, { cwd });
  expect([code, err]).toEqual([1, expect.stringMatching(/cannot start with them yet\.\n[^]*here\/api\.yaml:2: /)]);
  expect(existsSync(join(cwd, 'here/gateway.yaml'))).toBe(true);
});

test.each([
  [['--openapi', 'api.yaml'], /give both --openapi and --target/],
  [['--openapi', 'missing.yaml', '--target', 'http://127.0.0.1:9001'], /missing\.yaml cannot be read \(ENOENT\)/],
])('init %j is rejected as a usage error, and writes nothing', async (options, message) => {
  const cwd = temporaryDirectory();
  const { code, err } = await runCommand(['init', ...options], { cwd });
  expect([code, err, readdirSync(cwd)]).toEqual([2, expect.stringMatching(message), []]);
});

test('config/gateway.yaml is used if there is no gateway.yaml', async () => {
  const cwd = temporaryDirectory();
  const missing = await runCommand(['config', 'check'], { cwd });
  expect(missing.err).toMatch(/gateway\.yaml: does not exist, and neither does config\/gateway\.yaml: create it with/);
  await runCommand(['init', 'config'], { cwd });
  expect(loadConfig({}, cwd).fixed.file).toBe(join(cwd, 'config/gateway.yaml'));
  await runCommand(['init'], { cwd });
  expect(loadConfig({}, cwd).fixed.file).toBe(join(cwd, 'gateway.yaml'));
});
