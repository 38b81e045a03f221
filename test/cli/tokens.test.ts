import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { IssuerReport } from '../../src/data-plane/boundary-types.ts';
import { tokensSchema } from '../../src/config/token-settings.ts';
import { readOutput } from '../support/documents.ts';
import { type Admin, NOW, startAdmin } from '../support/gateway/admin.ts';
import { createCli } from '../support/gateway/cli.ts';

const NONE = {
  remembered: 0,
  verified: 0,
  overloaded: 0,
  token_expired: 0,
  token_invalid: 0,
  token_keys_unavailable: 0,
};
const entry = { issuer: 'https://login.example.com', audience: ['https://api.example.com'] };
const [corp, lab] = tokensSchema.parse([
  { ...entry, name: 'corp' },
  { ...entry, name: 'lab', issuer: 'https://lab.example.com', register: false, plan: 'pro' },
]);
const reports: readonly IssuerReport[] = [
  {
    config: corp!,
    keys: { count: 2, algorithms: ['RS256', 'ES256'], fetchedAt: NOW - 150_000, isUsable: true, failure: null },
    verifications: {
      since: NOW - 7_200_000,
      total: { ...NONE, verified: 30, remembered: 900, token_invalid: 5 },
      lastHour: { since: NOW - 3_600_000, counts: { ...NONE, verified: 4, remembered: 50 } },
      invalid: [{ reason: 'is not for this API (aud)', count: 5 }],
      refusedCallers: [{ reason: 'no_plan', count: 3 }],
    },
  },
  {
    config: lab!,
    keys: { count: 0, algorithms: [], fetchedAt: null, isUsable: false, failure: { reason: 'no answer', since: NOW } },
    verifications: {
      since: NOW,
      total: NONE,
      lastHour: { since: NOW, counts: NONE },
      invalid: [],
      refusedCallers: [],
    },
  },
];

let admin: Admin;
let cli: ReturnType<typeof createCli>;
let issuers: readonly IssuerReport[];
beforeEach(async () => {
  issuers = reports;
  admin = await startAdmin({ reportIssuers: () => issuers, tokenIssuers: [corp!, lab!] });
  cli = createCli(admin);
});
afterEach(() => admin.stop());

test('issuers are shown with their keys, their callers, and the results of verifications', async () => {
  await cli.text('keys', 'create', '--token', 'corp', '--caller', 'app-1', '--plan', 'pro');
  const text = await cli.text('tokens', 'list');
  expect(text).toMatch(/^name +corp\nissuer +https:\/\/login\.example\.com\n/);
  expect(text).toMatch(/\nkeys +ready, 2 keys \(RS256, ES256\), fetched 2 minutes ago\n/);
  expect(text).toMatch(/\ncallers +1 of at most 100000; new ones are created, on the plan free\n/);
  expect(text).toMatch(/\ncounted +by the gateway on a-machine, since 2026-06-15 10:00:00 UTC .*11:00:00.\n/);
  expect(text).toMatch(/\ntoken_invalid +5: the token is not for this API \(aud\)\n/);
  expect(text).toMatch(/\nrefused +3: the plan of new callers does not exist or is custom\n/);
  expect(text).toMatch(/\nvalid, verified before +50 +900\n/);
  expect(text).toMatch(/\nkeys +unavailable, failing since 2026-06-15 12:00:00 UTC: no answer\n/);
  expect(text).toMatch(/\ncallers +0 of at most 100000; new ones are not created\n/);
  expect(await cli.json('tokens')).toMatchObject({ gateway: { host: 'a-machine' }, items: [{ name: 'corp' }, {}] });
});

test('the command prints the output that is in the guide', async () => {
  const [report] = reports;
  issuers = [
    {
      ...report!,
      verifications: {
        ...report!.verifications,
        total: { ...report!.verifications.total, token_expired: 2 },
        lastHour: { since: NOW - 3_600_000, counts: { ...NONE, verified: 4, remembered: 50, token_invalid: 5 } },
        refusedCallers: [],
      },
    },
  ];
  for (let number = 1; number <= 12; number++) {
    // oxlint-disable-next-line no-await-in-loop -- twelve callers
    await cli.text('keys', 'create', '--token', 'corp', '--caller', `app-${number}`, '--plan', 'free');
  }
  const printed = await cli.text('tokens');
  expect(printed.replace('a-machine', 'api-1')).toBe(readOutput('docs/operators/tokens.md', '$ npx tollgate tokens\n'));
});

test('the command reports that no issuers are configured', async () => {
  issuers = [];
  expect(await cli.text('tokens')).toBe('No issuers of access tokens are configured (setting tokens).\n');
});
