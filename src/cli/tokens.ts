import type { Command } from 'commander';
import type { TokenIssuerResponse, TokenIssuersResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import { createAdminCommand, type AdminCommandOptions, createCommandGroup } from './command.ts';
import type { Io } from './io.ts';
import { formatTime, printJson } from './output.ts';
import { pluralize } from '../base/text.ts';
import { formatFields, formatTable } from './table.ts';

export function createTokensCommand(io: Io): Command {
  return createCommandGroup('tokens', 'Show the issuers of access tokens (default: list)').addCommand(
    createTokensListCommand(io),
    { isDefault: true },
  );
}

function createTokensListCommand(io: Io): Command {
  return createAdminCommand(
    'list',
    'List the issuers of access tokens: their keys, callers, and what verifications found on this gateway',
    'tokens list',
  ).action((options: AdminCommandOptions) => list(io, options));
}

/** One page has all issuers of any real configuration. A second one could come from another gateway, with other counts. */
const QUERY = { limit: 100 };

async function list(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<TokenIssuersResponse>('GET', '/tokens', { query: QUERY });
  if (json === true) return printJson(io, body);
  const { gateway, items } = body;
  io.out(items.length === 0 ? NO_ISSUERS : items.map((issuer) => formatIssuer(io, issuer, gateway.host)).join('\n'));
}

const NO_ISSUERS = 'No issuers of access tokens are configured (setting tokens).\n';

const OUTCOME_COLUMNS = [
  { title: 'VERIFICATIONS' },
  { title: 'LAST HOUR', whole: true, right: true },
  { title: 'TOTAL', whole: true, right: true },
];

/** The outcomes in the order of their rows. */
const OUTCOMES = {
  verified: 'valid, verified now',
  remembered: 'valid, verified before',
  token_expired: 'token_expired',
  token_invalid: 'token_invalid',
  token_keys_unavailable: 'token_keys_unavailable',
  overloaded: 'overloaded',
} as const satisfies Record<keyof TokenIssuerResponse['verifications']['total'], string>;

function formatIssuer(io: Io, issuer: TokenIssuerResponse, host: string): string {
  const { verifications } = issuer;
  const { since, lastHour, total, invalid, refusedCallers } = verifications;
  const facts = formatFields([
    ['name', issuer.name],
    ['issuer', issuer.issuer],
    ['audience', issuer.audience.join(', ')],
    ['keys', formatKeys(io, issuer.keys)],
    ['callers', formatCallers(issuer)],
    ['counted', `by the gateway on ${host}, since ${formatTime(since)} UTC (last hour: ${formatTime(lastHour.since)})`],
    ...invalid.map(({ reason, count }) => ['token_invalid', `${count}: the token ${reason}`] as const),
    ...refusedCallers.map(({ reason, count }) => ['refused', `${count}: ${REFUSED_CALLERS[reason]}`] as const),
  ]);
  const rows = Object.entries(OUTCOMES).map(([outcome, text]) => {
    const name = outcome as keyof typeof OUTCOMES;
    return [text, String(lastHour.counts[name]), String(total[name])];
  });
  return `${facts}\n${formatTable(OUTCOME_COLUMNS, rows, null)}`;
}

function formatKeys(io: Io, { state, count, algorithms, fetchedAt, failure }: TokenIssuerResponse['keys']): string {
  const parts = [
    state === 'away' ? 'unavailable' : state,
    ...(fetchedAt === null ? [] : [`${pluralize(count, 'key')} (${algorithms.join(', ')})`, formatAge(io, fetchedAt)]),
    ...(failure === null ? [] : [`failing since ${formatTime(failure.since)} UTC: ${failure.reason}`]),
  ];
  return parts.join(', ');
}

function formatAge(io: Io, fetchedAt: string): string {
  const minutes = Math.max(0, Math.floor((io.now() - Date.parse(fetchedAt)) / 60_000));
  return `fetched ${minutes < 1 ? 'less than a minute' : pluralize(minutes, 'minute')} ago`;
}

function formatCallers({ callers, maxCallers, register, plan }: TokenIssuerResponse): string {
  const many = `${callers ?? 'more than 200000'} of at most ${maxCallers}`;
  return `${many}; ${register ? `new ones are created, on the plan ${plan}` : 'new ones are not created'}`;
}

const REFUSED_CALLERS = {
  not_registered: 'the caller is not registered (register: false)',
  too_many: 'the issuer has as many callers as maxCallers allows',
  owner_taken: 'an account, a key or another caller has the owner of the caller',
  account_disabled: 'the account of the caller is disabled',
  no_plan: 'the plan of new callers does not exist or is custom',
  too_fast: 'more than 60 callers were new within a minute',
  deleted: 'an operator deleted the caller at the same moment',
} as const satisfies Record<TokenIssuerResponse['verifications']['refusedCallers'][number]['reason'], string>;
