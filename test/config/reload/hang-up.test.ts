import { afterAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { petstore, root } from '../../support/gateway/gateway.ts';
import { inheritedEnvironment, runGateway, runProgram } from '../../support/gateway/process.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
afterAll(() => folder.remove());

function configure(settings: object = {}): string {
  const file = join(folder.path, 'gateway.yaml');
  writeFileSync(file, stringify({ plans: join(root, 'config/plans.yaml'), upstreams: [petstore], ...settings }));
  return file;
}

test('SIGHUP reloads the configuration, even during the start, and an invalid configuration changes nothing', async () => {
  const early = `import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        if (/\\/(?:src\\/gateway\\.ts|dist\\/gateway\\/start\\.js)$/.test(url)) process.kill(process.pid, 'SIGHUP');
        return next(url, context);
      },
    });`;
  const gateway = await runGateway(folder.path, {
    TOLLGATE_CONFIG: configure(),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(early)}`,
  });
  await gateway.waitForOutput(/"changed":\[\],"msg":"configuration reloaded"/);
  configure({ afterSunset: 'gone' });
  gateway.child.kill('SIGHUP');
  await gateway.waitForOutput(/"changed":\["afterSunset"\],"msg":"configuration reloaded"/);
  configure({ afterSunset: 'never' });
  gateway.child.kill('SIGHUP');
  await gateway.waitForOutput(/afterSunset must be one of serve, gone.*"msg":"configuration not reloaded/);
  expect((await fetch(`${gateway.adminUrl}/readyz`)).status).toBe(200);
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended()).toBe(0);
});

test('SIGHUP stops a gateway gracefully if it runs in a terminal', async () => {
  const command = `echo "pid $$"; exec ${process.execPath} ${join(root, 'src/main.ts')}`;
  const terminal = runProgram('script', ['-qec', command, '/dev/null'], {
    ...(inheritedEnvironment() as Record<string, string>),
    SHELL: '/bin/sh',
    TOLLGATE_CONFIG: configure({ drain: { deadline: '100ms' } }),
    TOLLGATE_DATA_DIR: folder.path,
    TOLLGATE_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_PORTAL_PORT: '0',
  });
  const [, pid] = await terminal.waitForOutput(/pid (\d+)/);
  await terminal.waitForOutput(/listening/);
  process.kill(Number(pid), 'SIGHUP');
  await terminal.waitForOutput(/draining[^]*stopped/);
  expect(await terminal.ended()).toBe(0);
});
