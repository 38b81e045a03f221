/** Runs the documentation's recipe for pipelines in the same way as a pipeline. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { readDocument } from '../../support/documents.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const VIEWER = 'the-token-of-the-pipeline-0123456789abcdef';

const folder = tempFolder();
let gateway: TestGateway;
beforeAll(async () => {
  const adminTokens = [{ name: 'pipeline', role: 'viewer', token: '${PIPELINE_TOKEN}' }];
  gateway = await startTestGateway({ settings: { adminTokens }, env: { PIPELINE_TOKEN: VIEWER } });
  writeFileSync(join(folder.path, 'token'), VIEWER);
  mkdirSync(join(folder.path, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(root, 'bin/tollgate.js'), join(folder.path, 'node_modules/.bin/tollgate'));
});
afterAll(async () => {
  await gateway.stop();
  folder.remove();
});

/** @returns the exit code and everything that the script printed */
function runRecipe(): Promise<{ readonly code: number; readonly output: string }> {
  const [, section = ''] = readDocument('docs/upstream-teams.md').split('## Whom does a change break');
  const [, script = ''] = /```sh\n(.*?)```/s.exec(section) ?? [];
  const adapted = script
    .replace(/TOLLGATE_ADMIN_URL=\S+/, `TOLLGATE_ADMIN_URL=${gateway.adminUrl}`)
    .replace(/TOLLGATE_ADMIN_TOKEN_FILE=\S+/, `TOLLGATE_ADMIN_TOKEN_FILE=${join(folder.path, 'token')}`);
  expect(adapted).not.toContain('example.com');
  return new Promise((resolve) => {
    execFile('sh', ['-c', adapted], { cwd: folder.path }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: out + err });
    });
  });
}

test('the recipe for pipelines passes for an unchanged document, and fails with a comment if a caller would break', async () => {
  const file = join(folder.path, 'petstore.openapi.yaml');
  copyFileSync(join(root, 'config/petstore.openapi.yaml'), file);
  expect(await runRecipe()).toEqual({ code: 0, output: expect.stringContaining('No caller breaks.') });
  const { status } = await fetch(`${gateway.url}/pets`, { headers: { 'x-api-key': gateway.demoKey } });
  expect(status).toBe(200);
  writeFileSync(file, 'openapi: 3.1.0\ninfo: { title: Nothing left, version: "2" }\npaths: { /new: { get: {} } }\n');
  await until(async () => (await runRecipe()).code === 1);
  const comment = readFileSync(join(folder.path, 'changes.md'), 'utf8');
  expect(comment).toMatch(/^\| breaking \| GET \/pets was removed \| called by 1 key of 1 owner, last call/m);
  expect(comment).toContain('```yaml\noverlay: 1.0.0');
});
