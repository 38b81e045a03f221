import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { type EventType, gatewayEvents } from '../../src/control-plane/events/gateway-events.ts';
import type { Audience } from '../../src/openapi/event-type.ts';
import { callErrors, managementErrors } from '../../src/domain/error-codes.ts';
import { variables } from '../../src/config/environment.ts';
import { traceVariables } from '../../src/config/trace-settings.ts';
import { configSchema } from '../../src/config/config-schema.ts';
import { ERRORS as petStoreErrors } from '../../src/petstore/http/errors.ts';
import { SETTINGS, TRACE_VARIABLES, VARIABLES } from './descriptions.ts';

interface JsonSchema {
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/** A default that is longer than this is not printed. The table refers to the shipped file instead. */
const MAX_DEFAULT_LENGTH = 40;

type Errors = Readonly<Record<string, { readonly status: number; readonly message: string }>>;

/** Writes the table of API errors, by status. If the gateway and the pet store share a code, it has the gateway's message. */
export function writeCallErrorTable(): string {
  const listSources = (code: string) =>
    [code in callErrors ? 'gateway' : '', code in petStoreErrors ? 'pet store' : ''].filter(Boolean).join(', ');
  const rows = listErrorRows({ ...petStoreErrors, ...callErrors }).map((row) => [...row, listSources(row[0])]);
  return writeTable(['code', 'status', 'message', 'returned by'], rows.map(formatFirstAsCode));
}

/** Writes the table of errors that only the admin API and the portal return, by status. */
export function writeManagementErrorTable(): string {
  return writeTable(['code', 'status', 'message'], listErrorRows(managementErrors).map(formatFirstAsCode));
}

function listErrorRows(errors: Errors): [code: string, status: string, message: string][] {
  return Object.entries(errors)
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(([code, { status, message }]) => [code, `${status}`, escape(message)]);
}

function formatFirstAsCode([code = '', ...rest]: readonly string[]): string[] {
  return [`\`${code}\``, ...rest];
}

/** @throws if a setting has no description, or a description no setting */
export function writeSettingTable(): string {
  const defaults = listSettingDefaults(toJsonSchema(configSchema));
  checkDescriptions(SETTINGS, [...defaults.keys()]);
  const rows = [...defaults].map(([name, value]) => [`\`${name}\``, formatDefault(value), SETTINGS[name] ?? '']);
  return writeTable(['setting', 'default', 'meaning'], rows);
}

/** @throws if a variable has no description, or a description no variable */
export function writeVariableTable(): string {
  const { properties = {} } = toJsonSchema(variables);
  checkDescriptions(VARIABLES, Object.keys(properties));
  const settings = listSettingDefaults(toJsonSchema(configSchema));
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { what = '', setting, fallback } = VARIABLES[name] ?? {};
    const value = setting === undefined ? schema.default : settings.get(setting);
    return [`\`${name}\``, fallback ?? formatDefault(value), what + listChoices(schema)];
  });
  return writeTable(['variable', 'default', 'meaning'], rows);
}

/** @throws if a variable has no description, or a description no variable */
export function writeTraceVariableTable(): string {
  const { properties = {} } = toJsonSchema(traceVariables);
  checkDescriptions(TRACE_VARIABLES, Object.keys(properties));
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    formatDefault(schema.default),
    (TRACE_VARIABLES[name] ?? '') + listChoices(schema),
  ]);
  return writeTable(['variable', 'default', 'meaning'], rows);
}

function listChoices(schema: JsonSchema): string {
  return schema.enum === undefined ? '' : `. One of ${schema.enum.map((each) => `\`${each}\``).join(', ')}`;
}

const RECIPIENTS: Readonly<Record<Audience, string>> = {
  owner: 'its owner',
  plan: 'consumers on the plan',
  everyone: 'every consumer',
  operators: 'operators only',
};

/** Writes the table of the gateway's own event types. */
export function writeEventTable(): string {
  const rows = Object.entries<EventType>(gatewayEvents).map(([type, { audience, summary, data }]) => {
    const fields = Object.keys(toJsonSchema(data).properties ?? {}).map((name) => `\`${name}\``);
    return [`\`${type}\``, RECIPIENTS[audience], escape(summary), fields.join(', ')];
  });
  return writeTable(['type', 'sent to', 'meaning', 'data'], rows);
}

/** Writes the table of described fields of events. Each field is listed once, with the event types that have it. */
export function writeEventFieldTable(): string {
  const types = new Map<string, Set<string>>();
  for (const [type, { data }] of Object.entries<EventType>(gatewayEvents)) {
    for (const row of listDescribedFields(toJsonSchema(data)))
      types.set(row, (types.get(row) ?? new Set()).add(`\`${type}\``));
  }
  return writeTable(
    ['field', 'meaning', 'in'],
    [...types].map(([row, names]) => [...(JSON.parse(row) as [string, string]), [...names].join(', ')]),
  );
}

/** Lists the fields that have a description. Each entry is a JSON array of the dotted name and the description. */
function listDescribedFields({ properties = {}, items }: JsonSchema, prefix = ''): string[] {
  const itemFields = items === undefined ? [] : listDescribedFields(items, prefix);
  return Object.entries(properties)
    .flatMap(([name, schema]) => {
      const ownField =
        schema.description === undefined ? [] : [JSON.stringify([`\`${prefix}${name}\``, escape(schema.description)])];
      return [...ownField, ...listDescribedFields(schema, `${prefix}${name}.`)];
    })
    .concat(itemFields);
}

interface AlertRules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly runbook: string };
    }[];
  }[];
}

const SEVERITIES = ['critical', 'warning', 'info'];

/** Writes the table of alerts with instructions, critical alerts first. */
export function formatAlertTable(): string {
  const file = join(import.meta.dirname, '../../ops/prometheus-alerts.yaml');
  const { groups } = parse(readFileSync(file, 'utf8')) as AlertRules;
  const rows = groups
    .flatMap(({ rules }) => rules)
    .toSorted((one, other) => SEVERITIES.indexOf(one.labels.severity) - SEVERITIES.indexOf(other.labels.severity))
    .map(({ alert, labels, annotations }) => [`\`${alert}\``, labels.severity, escape(annotations.runbook)]);
  return writeTable(['alert', 'severity', 'what to do'], rows);
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** Lists the defaults of the settings by their dotted names. The default is undefined if there is none. */
function listSettingDefaults({ properties = {} }: JsonSchema, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const path = `${prefix}${name}`;
      return schema.properties === undefined ? [[path, schema.default]] : [...listSettingDefaults(schema, `${path}.`)];
    }),
  );
}

function checkDescriptions(descriptions: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const missing = names.filter((name) => !(name in descriptions));
  const unknown = Object.keys(descriptions).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`describe in scripts/docs/descriptions.ts: ${missing.join(', ')}`);
  if (unknown.length > 0)
    throw new Error(`no longer exists, remove it from scripts/docs/descriptions.ts: ${unknown.join(', ')}`);
}

function formatDefault(value: unknown): string {
  if (value === undefined) return '';
  const flow = { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 } as const;
  const text = typeof value === 'string' ? value : stringify(value, flow).trim();
  return text.length > MAX_DEFAULT_LENGTH ? 'in the shipped file' : `\`${text}\``;
}

/** Escapes characters of Markdown tables and of tags. Without this, `<API_KEY>` would be a tag. */
function escape(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '\\|');
}

function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const writeLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [writeLine(head), writeLine(head.map(() => '---')), ...rows.map(writeLine)].join('\n');
}
