import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { startGateway } from '../../../src/gateway.ts';
import { loadTestConfig, testConfig } from '../../support/gateway/gateway.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createUnknownEffects } from '../../../src/control-plane/system/reload-effects.ts';

const console = tempFolder();
beforeAll(() => writeFileSync(join(console.path, 'index.html'), '<!doctype html><title>Tollgate</title>'));
afterAll(() => console.remove());

/** Starts a gateway with its own data directory and the given console folder. */
async function start(consoleFolder: string, options: Parameters<typeof testConfig>[1] = {}) {
  const data = tempFolder();
  const logs: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void logs.push(line) });
  const gateway = await startGateway(testConfig(data.path, options), logger, {
    consoleFolder,
    loadConfig: () => Promise.resolve(loadTestConfig(data.path, options.env)),
    previewConfig: () => Promise.resolve(createUnknownEffects('not read')),
  });
  return { gateway, logs, data };
}

async function stop({ gateway, data }: Awaited<ReturnType<typeof start>>): Promise<void> {
  await gateway.drain();
  data.remove();
}

// The link is printed to the log, which other people can read if the gateway runs in a container.
test('the first start creates no sign-in link if other machines can reach the admin listener', async () => {
  const open = await start(console.path, { env: { TOLLGATE_ADMIN_HOST: '0.0.0.0' } });
  expect(open.gateway.consoleLink).toBeNull();
  await stop(open);
});

test('the gateway runs without a console that was not built, and logs one line about it', async () => {
  const started = await start(join(console.path, 'nowhere'));
  const warnings = started.logs.filter((line) => line.includes('the console is not available'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('npm run prepare');
  expect(started.gateway.consoleLink).toBeNull();
  expect((await fetch(`${started.gateway.adminUrl}/readyz`)).status).toBe(200);
  expect((await fetch(`${started.gateway.adminUrl}/console/`)).status).toBe(401);
  await stop(started);
});

test('an unavailable OpenID provider does not prevent the start', async () => {
  const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'a', clientSecret: '${OIDC_SECRET}', admins: ['platform'] };
  const admin = { url: 'http://127.0.0.1:1', oidc };
  const started = await start(console.path, { settings: { admin }, env: { OIDC_SECRET: 'secret' } });
  const { adminUrl } = started.gateway;
  const methods = await (await fetch(`${adminUrl}/v1/session/methods`)).json();
  expect(methods).toEqual({ methods: ['oidc', 'token'] });
  const response = await fetch(`${adminUrl}/console/oidc`, { redirect: 'manual' });
  expect(response.headers.get('location')).toBe('http://127.0.0.1:1/console/#sign-in-failed=unavailable');
  await stop(started);
});
