import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createProcessIo } from '../../src/cli/io.ts';
import { createProgram } from '../../src/cli/program.ts';
import { runCommand } from '../support/gateway/cli.ts';
import { root } from '../support/gateway/gateway.ts';

function paths(command: Command, before: readonly string[] = []): string[][] {
  return command.commands.flatMap((each) => {
    const path = [...before, each.name()];
    return each.commands.length > 0 ? paths(each, path) : [path];
  });
}

const all = paths(createProgram(createProcessIo()));

test('every noun has a source file with its name, and every verb has a test', () => {
  const tests = readdirSync(join(root, 'test/cli')).map((name) => [
    name,
    readFileSync(join(root, 'test/cli', name), 'utf8'),
  ]);
  const untested = all
    .filter(({ length }) => length === 2)
    .filter(([noun = '', verb = '']) => {
      const ofNoun = tests.filter(([name = '']) => new RegExp(`^${noun}(?:-\\w+)*\\.test\\.ts$`).test(name));
      return !ofNoun.some(([, text = '']) => text.includes(`'${noun}', '${verb}'`));
    });
  expect(untested).toEqual([]);
  const nouns = createProgram(createProcessIo()).commands.map((noun) => `${noun.name()}.ts`);
  expect(readdirSync(join(root, 'src/cli'))).toEqual(expect.arrayContaining(nouns));
});

test.each(all)('the help of the command "%s %s" has an example', async (...path) => {
  const words = path.filter((word) => word !== undefined);
  const { code, out, err } = await runCommand([...words, '--help']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(new RegExp(`\\nExamples?:\\n.*tollgate ${words.join(' ').replace('usage show', 'usage')}`));
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await runCommand(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test.each([
  [[], 'Usage: tollgate [options] [command]'],
  [['keys'], 'Usage: tollgate keys [options] [command]'],
  [['keyz'], "tollgate: unknown command 'keyz'\n(Did you mean keys?)"],
  [['keys', 'lst'], "tollgate: unknown command 'lst'\n(Did you mean list?)"],
  [['plans', 'list', '--yaml'], "tollgate: unknown option '--yaml'\nRun the command with --help for usage."],
])('the arguments %j are rejected as a usage error', async (args, message) => {
  const { code, out, err } = await runCommand(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
