import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { consumerErrors, errorTable } from './consumer-errors.ts';

const docs = readFileSync(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8');

test('consumers see the codes that the gateway returns, without the column of who returns them', () => {
  const errors = consumerErrors(docs);
  const codes = errors.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['bad_request', 'rate_limit_exceeded', 'upstream_timeout']));
  expect(codes).not.toContain('pet_not_found');
  expect(errorTable(errors)).not.toMatch(/pet store|gateway, /);
});
