/**
 * `npm run docs` updates the tables in the documents that are generated from the code, between `<!-- begin NAME: … -->`
 * and `<!-- end NAME -->`. `npm run docs:check` exits with 1 if one of these tables is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import {
  formatAlertTable,
  writeCallErrorTable,
  writeEventFieldTable,
  writeEventTable,
  writeManagementErrorTable,
  writeSettingTable,
  writeTraceVariableTable,
  writeVariableTable,
} from './docs/tables.ts';

const root = join(import.meta.dirname, '..');

const GENERATED = [
  { file: 'docs/errors.md', name: 'errors', table: writeCallErrorTable },
  { file: 'docs/errors.md', name: 'management-errors', table: writeManagementErrorTable },
  { file: 'docs/operators/events.md', name: 'events', table: writeEventTable },
  { file: 'docs/operators/events.md', name: 'event-fields', table: writeEventFieldTable },
  { file: 'docs/operators/metrics.md', name: 'alerts', table: formatAlertTable },
  { file: 'docs/operators/settings.md', name: 'settings', table: writeSettingTable },
  { file: 'docs/operators/settings.md', name: 'variables', table: writeVariableTable },
  { file: 'docs/operators/traces.md', name: 'trace-variables', table: writeTraceVariableTable },
];

const isCheck = process.argv.includes('--check');
for (const file of new Set(GENERATED.map((each) => each.file))) {
  const path = join(root, file);
  const current = readFileSync(path, 'utf8');
  const tables = GENERATED.filter((each) => each.file === file);
  const filled = tables.reduce((text, { name, table }) => replaceTable(text, name, table()), current);
  const next = await format(filled, { ...(await resolveConfig(path)), filepath: path });
  if (next === current) continue;
  if (isCheck) {
    process.stderr.write(`${relative(root, path)} is out of date: run npm run docs\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, next);
  }
}

function replaceTable(text: string, name: string, table: string): string {
  const region = new RegExp(`(<!-- begin ${name}: [^]*?-->\n)[^]*?(<!-- end ${name} -->)`);
  if (!region.test(text)) throw new Error(`there is no place for the table of ${name}`);
  return text.replace(region, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}
