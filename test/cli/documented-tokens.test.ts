/**
 * Runs the commands of the operators' guide to access tokens, and compares their output with the output in the guide.
 */
import { afterEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokensSchema } from '../../src/config/token-settings.ts';
import { readDocument, readOutput } from '../support/documents.ts';
import { startAdmin } from '../support/gateway/admin.ts';
import { createCli, runCommand } from '../support/gateway/cli.ts';
import { root } from '../support/gateway/gateway.ts';
import { tokenSettings } from '../support/gateway/token-gateway.ts';
import { createIssuerKey, startTokenIssuer } from '../support/servers/token-issuer.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const GUIDE = readDocument('docs/operators/tokens.md');
const ISSUER = 'https://login.example.com';
const [corp] = tokensSchema.parse([{ name: 'corp', issuer: ISSUER, audience: ['https://api.example.com'] }]);

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Finds a command in the guide, and returns its words after `tollgate`. */
function findCommand(beginning: string): readonly string[] {
  const line = GUIDE.split('\n').find((each) => each.startsWith(`npx tollgate ${beginning}`));
  if (line === undefined) throw new Error(`the guide has no command ${beginning}`);
  return Array.from(line.replace('npx tollgate ', '').matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
}

test('the commands in the guide add, list and forget a caller', async () => {
  const admin = await startAdmin({ tokenIssuers: [corp!] });
  stops.push(() => admin.stop());
  const { run, text } = createCli(admin);
  const [id = ''] = /key_\w{20}/.exec(await text(...findCommand('keys create'))) ?? [];
  expect(await text(...findCommand('keys list'))).toContain('corp:app-1');
  const forget = findCommand('keys forget').map((word) => (word.startsWith('key_') ? id : word));
  expect((await run([...forget, '--yes'])).out).toContain(`Forgot key ${id}.`);
  const { body } = await admin.get('/v1/audit?action=key.forget');
  expect(body.items).toMatchObject([{ subject: id, reason: 'request of 3 May' }]);
});

test('config check --online prints the output that is in the guide', async () => {
  const [current, previous, encryption] = ['2026-05', '2025-11', 'enc-1'].map(
    (kid) => createIssuerKey('RS256', kid).jwk,
  );
  const issuer = await startTokenIssuer([current!, previous!, { ...encryption!, alg: 'RSA-OAEP', use: 'enc' }]);
  stops.push(() => issuer.stop());
  const file = join(temporaryDirectory(), 'gateway.yaml');
  const tokens = [{ name: 'corp', issuer: issuer.url, audience: ['https://api.example.com'] }];
  writeFileSync(file, JSON.stringify({ plans: join(root, 'config/plans.yaml'), ...tokenSettings(tokens) }));
  const { code, out } = await runCommand(findCommand('config check'), { env: { TOLLGATE_CONFIG: file } });
  expect(code).toBe(0);
  const withoutTime = (text: string) => text.replace(/ in \d+ ms$/m, ' in TIME');
  const lines = out.split('\n').filter((line) => line.startsWith('tokens.'));
  expect(withoutTime(`${lines.join('\n')}\n`).replaceAll(issuer.url, ISSUER)).toBe(
    withoutTime(readOutput('docs/operators/tokens.md', 'npx tollgate config check --online\n```\n\n```\n')),
  );
});
