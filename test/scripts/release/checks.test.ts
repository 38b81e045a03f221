import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkWorkflows } from '../../../scripts/release/check-workflows.ts';
import { runChecks, type Check } from '../../../scripts/release/checks.ts';
import { formatChecksums } from '../../../scripts/release/checksums.ts';
import { ReleaseFault } from '../../../scripts/release/release-fault.ts';
import { root } from '../../support/gateway/gateway.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('every check runs, and a failed check names the fault and what to do', async () => {
  const checks: Check[] = [
    { name: 'first', run: () => 'fine' },
    { name: 'second', run: () => Promise.reject(new ReleaseFault('FILE:3: not fine', 'change FILE')) },
    { name: 'third', run: () => Promise.reject(new Error('unexpected')) },
    { name: 'last', run: () => 'fine' },
  ];
  let output = '';
  expect(await runChecks(checks, { write: (text) => (output += text) })).toBe(2);
  expect(output.split('\n')).toEqual([
    'ok    first: fine',
    'FAIL  second: FILE:3: not fine',
    '      To do: change FILE',
    'FAIL  third: unexpected',
    'ok    last: fine',
    '',
  ]);
});

test('the checksums have the form of sha256sum', () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'b'), 'b');
  writeFileSync(join(folder, 'a'), '');
  expect(formatChecksums(folder, ['b', 'a'])).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n' +
      '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  b\n',
  );
});

test('the workflows of this repository have no faults', () => {
  expect(checkWorkflows(root)).toContain('All workflow files passed');
});

test('a fault in a workflow is reported with its place', () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, '.github/workflows'), { recursive: true });
  const step = '{ run: "echo ${{ steps.none.outputs.x }}" }';
  const workflow = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [${step}]\n`;
  writeFileSync(join(folder, '.github/workflows/bad.yml'), workflow);
  expect(() => checkWorkflows(folder)).toThrow(/bad\.yml:5:\d+ property "none" is not defined/);
});
