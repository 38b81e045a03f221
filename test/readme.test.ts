/** Tables, commands and variables in the documents match the code. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { z } from 'zod';
import { createProcessIo } from '../src/cli/io.ts';
import { createProgram } from '../src/cli/program.ts';
import { configSchema } from '../src/config/config-schema.ts';
import { variables } from '../src/config/environment.ts';
import { callErrors, type ErrorCode, errors, managementErrors } from '../src/domain/error-codes.ts';
import { ERRORS as petStoreErrors } from '../src/petstore/http/errors.ts';
import { DOCUMENT_FILE as ADMIN_DOCUMENT } from '../src/control-plane/admin/resources/admin-document.ts';
import { readParts } from '../src/control-plane/api-server/api-document.ts';
import { readEndpointsDocument } from '../src/control-plane/gateway-endpoints/endpoint-handlers.ts';
import { documents, readDocument, readTableRows } from './support/documents.ts';
import { root } from './support/gateway/gateway.ts';

/** The text of all documents. */
const text = documents.map(readDocument).join('\n');

test.each([
  ['## API errors', { ...petStoreErrors, ...callErrors }],
  ['## Admin API and portal errors', managementErrors],
])('the documentation lists below "%s" exactly the errors in the code', (section, inCode) => {
  const rows = readTableRows('docs/errors.md', 'code', section).map(
    ([code = '', status]) => [code.replaceAll('`', ''), Number(status)] as const,
  );
  const expected = Object.entries(inCode).map(([code, { status }]) => [code, status] as const);
  expect(new Map(rows)).toEqual(new Map(expected));
  expect(rows).toHaveLength(expected.length);
});

test('errors of the gateway and the pet store with the same code have the same status', () => {
  for (const [code, { status }] of Object.entries(petStoreErrors)) {
    if (code in errors) expect([code, errors[code as ErrorCode].status]).toEqual([code, status]);
  }
});

/** The examples of error responses in a document. */
function* errorExamples(node: unknown): Generator<{ code: string; message: string }> {
  if (typeof node !== 'object' || node === null) return;
  if ('code' in node && 'message' in node && 'status' in node) yield node as { code: string; message: string };
  for (const child of Object.values(node)) yield* errorExamples(child);
}

test("the pet store's document shows the gateway's errors with their real messages", () => {
  const document: unknown = parse(readFileSync(join(root, 'config/petstore.openapi.yaml'), 'utf8'));
  const shown = [...errorExamples(document)].filter(({ code }) => !(code in petStoreErrors) && code in callErrors);
  expect(shown.length).toBeGreaterThanOrEqual(10);
  for (const { code, message } of shown) {
    expect([code, message]).toEqual([code, errors[code as ErrorCode].message]);
  }
});

test('the documentation names only variables that the gateway reads', () => {
  const named = new Set(text.match(/TOLLGATE_[A-Z_]+/g));
  const source = readFileSync(join(root, 'src/config/environment.ts'), 'utf8');
  for (const name of named) expect(source).toContain(name);
});

interface JsonSchema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** The dotted names of the settings, with their defaults, or undefined for a setting without a default. */
function settings({ properties = {} }: JsonSchema, before = ''): [string, unknown][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${before}${name}`;
    return schema.properties === undefined ? [[path, schema.default]] : settings(schema, `${path}.`);
  });
}

function toSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

test('the table of settings is complete, and its defaults are those in the code', () => {
  const expected = settings(toSchema(configSchema));
  const rows = readTableRows('docs/operators/settings.md', 'setting').map(([name = '', value = ''], index) => {
    const cell = value.replaceAll('`', '');
    // Too long for the table. Another test compares the shipped file with the defaults.
    const parsed = cell === 'in the shipped file' ? expected[index]?.[1] : parse(cell);
    return [name.replaceAll('`', ''), cell === '' ? undefined : parsed];
  });
  expect(rows).toEqual(expected);
});

test('the table of variables is complete, and its defaults are those in the code', () => {
  const { database, store, logLevel } = Object.fromEntries(settings(toSchema(configSchema)));
  const elsewhere = {
    TOLLGATE_CONFIG: 'gateway.yaml, else config/gateway.yaml',
    TOLLGATE_DATABASE: database,
    TOLLGATE_STORE: store,
    TOLLGATE_LOG_LEVEL: logLevel,
    TOLLGATE_ADMIN_TOKEN: 'created at the first start, in data/admin-token',
  };
  const rows = readTableRows('docs/operators/settings.md', 'variable').map((cells) => cells.slice(0, 2));
  expect(rows.map((cells) => cells.map((cell) => cell.replaceAll('`', '')))).toEqual(
    settings(toSchema(variables)).map(([name, value]) => [name, value ?? elsewhere[name as keyof typeof elsewhere]]),
  );
});

function listCommands(
  command: Command,
  before: readonly string[] = [],
): { path: string; options: readonly string[] }[] {
  return command.commands.flatMap((each) => {
    const path = [...before, each.name()];
    const options = each.options.map(({ long }) => long ?? '');
    return each.commands.length > 0 ? listCommands(each, path) : [{ path: path.join(' '), options }];
  });
}

const commands = listCommands(createProgram(createProcessIo()));

test('the table of commands is complete, and names only existing options', () => {
  const rows = readTableRows('docs/operators/install.md', 'command').map(([usage = '', what = '']) => {
    const path = /^`tollgate ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/.exec(usage)?.[1] ?? '';
    return { path: path === 'usage' ? 'usage show' : path, named: `${usage} ${what}`.match(/--[a-z-]+/g) ?? [] };
  });
  expect(rows.map(({ path }) => path).toSorted()).toEqual(commands.map(({ path }) => path).toSorted());
  for (const { path, named } of rows) {
    expect(commands.find((command) => command.path === path)?.options).toEqual(expect.arrayContaining(named));
  }
});

test('the table of the admin API names every path', () => {
  const table = readDocument('docs/operators/install.md');
  const paths = Object.keys(readParts(ADMIN_DOCUMENT).value['paths'] as object).map((path) =>
    path.replace('{requestId}', '{id}'),
  );
  // The table omits the beginning that a path shares with the previous one, as in `…/usage/reset`.
  const isNamed = (path: string) =>
    [`/v1${path}`, `…/${path.split('/').at(-1)}`, `…/${path.split('/').slice(-2).join('/')}`].some(
      (shown) => table.includes(`${shown}\``) || table.includes(`${shown}?`),
    );
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !isNamed(path))).toEqual([]);
});

test('the page for consumers names every endpoint of the gateway', () => {
  const page = readDocument('docs/consumers.md');
  const endpoints = Object.entries(readEndpointsDocument()['paths'] as object).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path.replace('{requestId}', '{id}')}`),
  );
  expect(endpoints.filter((endpoint) => !page.includes(`${endpoint}\``))).toEqual([]);
});

test('every command in the documentation exists', () => {
  const shown = [...text.matchAll(/(?:npx |`)tollgate ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(([, path = '']) => path);
  expect(shown.length).toBeGreaterThan(20);
  for (const path of new Set(shown)) {
    const known = commands.some((command) => command.path === path || command.path.startsWith(`${path} `));
    const nounWithId = commands.some((command) => command.path === `${path.split(' ')[0]} show`);
    expect({ path, exists: known || nounWithId }).toEqual({ path, exists: true });
  }
});
