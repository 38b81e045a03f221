import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { processIo } from '../../src/cli/io.ts';
import { createProgram } from '../../src/cli/program.ts';
import { runCommand } from '../support/gateway/cli.ts';
import { root } from '../support/gateway/gateway.ts';

function paths(command: Command, before: readonly string[] = []): string[][] {
  return command.commands.flatMap((each) => {
    const path = [...before, each.name()];
    return each.commands.length > 0 ? paths(each, path) : [path];
  });
}

const all = paths(createProgram(processIo()));

/** What several verbs are made of. */
const SHARED = ['keys/status', 'accounts/status', 'plan-requests/decide', 'webhooks/status', 'webhooks/index'];

test('every noun and verb has a file at its path, and a test at the same', () => {
  const verbs = all.filter(({ length }) => length === 2).map((path) => path.join('/'));
  const files = (folder: string, end: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('/') && name.endsWith(end))
      .map((name) => name.slice(0, -end.length));
  expect(
    files('src/cli/commands', '.ts')
      .filter((name) => !SHARED.includes(name))
      .sort(),
  ).toEqual(verbs.sort());
  expect(files('test/cli', '.test.ts')).toEqual(expect.arrayContaining(verbs));
});

test.each(all)('%s %s has help with an example', async (...path) => {
  const words = path.filter((word) => word !== undefined);
  const { code, out, err } = await runCommand([...words, '--help']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`\\nExamples?:\\n.*tollgate ${words.join(' ').replace('usage show', 'usage')}`));
});

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await runCommand(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test.each([
  [[], 'Usage: tollgate [options] [command]'],
  [['keys'], 'Usage: tollgate keys [options] [command]'],
  [['keyz'], "tollgate: unknown command 'keyz'\n(Did you mean keys?)"],
  [['keys', 'lst'], "tollgate: unknown command 'lst'\n(Did you mean list?)"],
  [['plans', 'list', '--yaml'], "tollgate: unknown option '--yaml'\n(--help tells more)"],
])('%j is a wrong command line', async (args, message) => {
  const { code, out, err } = await runCommand(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
