/** Runs the commands of the operators' guide to access tokens, and compares their output with what the guide shows. */
import { afterEach, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokensSchema } from '../../src/config/token-settings.ts';
import { readDocument } from '../support/documents.ts';
import { NOW, startAdmin } from '../support/gateway/admin.ts';
import { cliFor, runCommand } from '../support/gateway/cli.ts';
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

/** The words of a command in the guide, after `tollgate`. */
function findCommand(beginning: string): readonly string[] {
  const line = GUIDE.split('\n').find((each) => each.startsWith(`npx tollgate ${beginning}`));
  if (line === undefined) throw new Error(`the guide has no command ${beginning}`);
  return Array.from(line.replace('npx tollgate ', '').matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
}

/** The text between a line and the end of its code block. */
function findOutput(after: string): string {
  const [, output] = GUIDE.split(after);
  if (output === undefined) throw new Error(`the guide does not have ${after}`);
  return output.slice(0, output.indexOf('```'));
}

test('tokens prints what the guide shows', async () => {
  const none = {
    remembered: 0,
    verified: 0,
    overloaded: 0,
    token_expired: 0,
    token_invalid: 0,
    token_keys_unavailable: 0,
  };
  const report = {
    config: corp!,
    keys: { count: 2, algorithms: ['RS256', 'ES256'], fetchedAt: NOW - 150_000, isUsable: true, failure: null },
    verifications: {
      since: NOW - 7_200_000,
      total: { ...none, verified: 30, remembered: 900, token_expired: 2, token_invalid: 5 },
      lastHour: { since: NOW - 3_600_000, counts: { ...none, verified: 4, remembered: 50, token_invalid: 5 } },
      invalid: [{ reason: 'is not for this API (aud)', count: 5 }],
      refusedCallers: [],
    },
  } as const;
  const admin = await startAdmin({ reportIssuers: () => [report], tokenIssuers: [corp!] });
  stops.push(() => admin.stop());
  const { text } = cliFor(admin);
  for (let number = 1; number <= 12; number++) {
    // oxlint-disable-next-line no-await-in-loop -- twelve callers
    await text('keys', 'create', '--token', 'corp', '--caller', `app-${number}`, '--plan', 'free');
  }
  const printed = await text('tokens');
  expect(printed.replace('a-machine', 'api-1')).toBe(findOutput('$ npx tollgate tokens\n'));
});

test('a caller is added, listed and forgotten with the commands of the guide', async () => {
  const admin = await startAdmin({ tokenIssuers: [corp!] });
  stops.push(() => admin.stop());
  const { run, text } = cliFor(admin);
  const [id = ''] = /key_\w{20}/.exec(await text(...findCommand('keys create'))) ?? [];
  expect(await text(...findCommand('keys list'))).toContain('corp:app-1');
  const forget = findCommand('keys forget').map((word) => (word.startsWith('key_') ? id : word));
  expect((await run([...forget, '--yes'])).out).toContain(`Forgot key ${id}.`);
  const { body } = await admin.get('/v1/audit?action=key.forget');
  expect(body.items).toMatchObject([{ subject: id, reason: 'request of 3 May' }]);
});

test('config check --online prints what the guide shows', async () => {
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
    withoutTime(findOutput('npx tollgate config check --online\n```\n\n```\n')),
  );
});
