import { Command } from 'commander';
import { toPrintable, pluralize } from '../base/text.ts';
import type { RequiredScopes } from '../openapi/required-scopes.ts';
import { toDateTime } from '../base/time.ts';
import type { TokenConfig } from '../data-plane/tokens/token-config.ts';
import type { ReloadResponse } from './admin-api-types.ts';
import { connect } from './admin-api.ts';
import {
  createAdminCommand,
  type AdminCommandOptions,
  createCommandGroup,
  REASON_OPTION,
  type ReasonOption,
} from './command.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { formatTime, printJson } from './output.ts';
import { formatReloadReport, hasEffects } from './reload-report.ts';

export function createConfigCommand(io: Io): Command {
  return createCommandGroup(
    'config',
    'Check, preview and reload the configuration',
    createConfigCheckCommand(io),
    createConfigPreviewCommand(io),
    createConfigReloadCommand(io),
  );
}

function createConfigCheckCommand(io: Io): Command {
  return new Command('check')
    .description('Check the configuration and the files it names, and list the operations')
    .option('--all', `Also list the operations of a document that has more than ${MAX_LISTED}`)
    .option('--online', 'Also fetch the keys of each issuer in tokens, and say which of them can be used')
    .addHelpText('after', '\nExample:\n  TOLLGATE_CONFIG=/etc/tollgate/gateway.yaml tollgate config check --online')
    .action((options: CheckOptions) => check(io, options));
}

/** Maximum number of operations that are listed per document. A longer list would push the warnings off the screen. */
const MAX_LISTED = 100;

interface CheckOptions {
  readonly all?: true;
  readonly online?: true;
}

async function check(io: Io, { all, online }: CheckOptions): Promise<void> {
  const { loadWithNamedFiles } = await import('../config/named-files.ts');
  const { checkAdminTokenFile } = await import('../control-plane/admin/access/admin-tokens.ts');
  const { fixed, live } = loadWithNamedFiles(io.env, io.cwd);
  const { upstreams, warnings, adminToken, adminTokens } = live;
  checkAdminTokenFile({ fromEnvironment: adminToken, dataDir: fixed.dataDir }, adminTokens);
  const { readRequiredScopes } = await import('../openapi/required-scopes.ts');
  for (const { name, document, validation = 'off', scopes } of upstreams) {
    const { operations } = document;
    const requiredScopes = scopes === 'enforce' ? readRequiredScopes(document) : null;
    if (operations.length > MAX_LISTED && all !== true) {
      const deprecated = operations.filter(({ lifecycle }) => lifecycle.deprecated).length;
      const open = operations.filter((operation) => operation.public).length;
      const counts = `${deprecated} of them deprecated${open === 0 ? '' : `, ${open} public`}`;
      io.out(`${name}: ${operations.length} operations, ${counts} (--all lists them)\n`);
      continue;
    }
    for (const operation of operations) {
      const { method, path, lifecycle } = operation;
      const notes = [
        ...(operation.public ? ['public'] : []),
        ...[operation.validation ?? validation].filter((mode) => mode !== 'off').map((mode) => `validation: ${mode}`),
        ...formatScopes(requiredScopes?.get(operation)),
        ...(lifecycle.deprecated ? ['deprecated'] : []),
        ...(lifecycle.stability === 'stable' ? [] : [lifecycle.stability]),
        ...lifecycle.brownouts.map(
          ({ from, to }) => `off ${formatTime(toDateTime(from))} to ${formatTime(toDateTime(to))}`,
        ),
      ];
      io.out(`${`${method.padEnd(7)} ${toPrintable(path)}`.padEnd(48)} ${name} ${notes.join(', ')}`.trimEnd() + '\n');
    }
  }
  const { openValidation } = await import('../data-plane/validation/open-validation.ts');
  for (const upstream of upstreams) {
    const checks = await openValidation(upstream);
    for (const warning of checks?.warnings ?? []) io.out(`warning: ${toPrintable(warning)}\n`);
  }
  for (const warning of warnings) io.out(`warning: ${warning}\n`);
  if (online === true) await checkOnline(io, live.tokens);
  io.out(`${fixed.file} is valid.\n`);
}

/** @throws Failure (as a rejection) if the tokens of an issuer could not be verified */
async function checkOnline(io: Io, tokens: readonly TokenConfig[]): Promise<void> {
  const { checkIssuers } = await import('./check-issuers.ts');
  const failed = await checkIssuers(io, tokens);
  if (tokens.length === 0) io.out('No issuers of tokens are configured.\n');
  if (failed > 0) throw new Failure(`the tokens of ${pluralize(failed, 'issuer')} cannot be verified`);
}

function formatScopes(scopes: RequiredScopes = []): string[] {
  return scopes.length === 0 ? [] : [`scopes: ${scopes.map((each) => [...each].join(' ')).join(' or ')}`];
}

function createConfigReloadCommand(io: Io): Command {
  return createAdminCommand(
    'reload',
    'Reload the configuration of a running gateway without dropping requests; an invalid one changes nothing',
    'config reload',
    'config reload --reason "two more servers"',
  )
    .option(...REASON_OPTION)
    .action((options: AdminCommandOptions & ReasonOption) => reload(io, options));
}

async function reload(io: Io, { json, reason }: AdminCommandOptions & ReasonOption): Promise<void> {
  const { body } = await connect(io).call<ReloadResponse>('POST', '/config/reload', { reason });
  if (json === true) return printJson(io, body);
  io.out(formatReloadReport(body, io.now()));
  const { changed, restart } = body;
  if (changed.length > 0) io.out('Reloaded.\n');
  else io.out(restart.length > 0 ? 'Nothing else has changed.\n' : 'Nothing has changed.\n');
}

function createConfigPreviewCommand(io: Io): Command {
  return createAdminCommand(
    'preview',
    'Show what a reload of a running gateway would change, and whom that concerns; changes nothing',
    'config preview',
  ).action((options: AdminCommandOptions) => preview(io, options));
}

async function preview(io: Io, { json }: AdminCommandOptions): Promise<void> {
  const { body } = await connect(io).call<ReloadResponse>('POST', '/config/preview');
  if (json === true) return printJson(io, body);
  io.out(formatReloadReport(body, io.now()));
  io.out(
    hasEffects(body)
      ? 'Nothing was applied: "tollgate config reload" does that.\n'
      : 'A reload would change nothing.\n',
  );
}
