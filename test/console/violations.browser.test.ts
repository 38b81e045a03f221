/**
 * An operator needs two clicks to see whose requests would be refused if `POST /pets` were enforced. The same screen
 * shows how to change to `enforce`, and can exempt a key. The consumer sees the same rules in the portal. There are no
 * axe findings, in light and dark, at every width.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openPortal } from '../../scripts/screenshots/open-portal.ts';
import type { BrowserPage } from '../support/browser/browser-page.ts';
import { findOverlaps, findVisualProblems } from '../support/browser/visual-checks.ts';
import { type HttpService, listening } from '../support/services/http-service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { type ConsoleUnderTest, startConsole } from './support/console.ts';

const property = 'aVeryLongNameOfAPropertyThatDoesNotFitOnOneLineOfATable';
const petDocument = (required: readonly string[]) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required,
                properties: { name: { type: 'string', examples: ['Rex'] }, [property]: { type: 'integer' } },
              },
            },
          },
        },
        responses: { 200: { description: 'OK' } },
      },
    },
  },
});

const folder = temporaryDirectory();
const [openapi, candidate] = [join(folder, 'pets.json'), join(folder, 'next.json')];
writeFileSync(openapi, JSON.stringify(petDocument(['name'])));
writeFileSync(candidate, JSON.stringify(petDocument(['name', property])));

let service: HttpService;
let console: ConsoleUnderTest;
let keyId = '';
const opened: BrowserPage[] = [];

beforeAll(async () => {
  service = await listening(createServer((req, res) => req.resume().on('end', () => res.end('ok'))));
  console = await startConsole({
    settings: {
      portal: { enabled: true },
      upstreams: [{ name: 'pets', openapi, targets: [service.url], validation: 'report', candidate }],
    },
  });
  const { gateway } = console;
  const body = JSON.stringify({ owner: 'acme', name: 'Shop', plan: 'free' });
  const created = (await (await gateway.admin('/v1/keys', { method: 'POST', body })).json()) as Record<string, string>;
  keyId = created['id'] ?? '';
  for (const sent of [{}, { name: 'Rex', [property]: 'x' }]) {
    const init = { method: 'POST', key: created['key'] ?? '', headers: { 'Content-Type': 'application/json' } };
    await (await gateway.call('/pets', { ...init, body: JSON.stringify(sent) })).text();
  }
  await until(async () => {
    const response = await gateway.admin('/v1/operations/addPet/violations?document=candidate');
    const { totals } = (await response.json()) as { totals: { requests: number } | null };
    return totals?.requests === 2;
  });
});

afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await console.stop();
  await service.close();
});

async function open(): Promise<BrowserPage> {
  const page = await console.open();
  opened.push(page);
  return page;
}

test('two clicks show who would be refused, and a key can be exempted there until the exemption is ended', async () => {
  const { page } = await open();
  await page.getByRole('link', { name: 'Operations' }).first().click();
  await page.getByRole('row', { name: /POST.*\/pets/ }).click();
  const section = page.getByRole('region', { name: 'Who would be refused?', exact: true });
  await section.getByText('1 owner with 1 key').waitFor();
  const row = section.getByRole('row', { name: /Shop/ });
  expect(await row.textContent()).toContain('/name is missing');

  await section.getByText('Go from report to enforce').click();
  await section.getByText('Enforcing would have refused requests of 1 key').waitFor();
  await section.getByText('x-tollgate-validation: enforce', { exact: false }).first().waitFor();

  const submitDialog = async (button: string, submit: string) => {
    await row.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('They need more time');
    await dialog.getByRole('button', { name: submit }).click();
    await dialog.waitFor({ state: 'hidden' });
  };
  await submitDialog('Exempt…', 'Exempt the key');
  await section.getByText('1 key is exempt and never refused.').waitFor();
  await submitDialog('End…', 'End the exemption');
  await row.getByRole('button', { name: 'Exempt…' }).waitFor();
});

test('a key can be exempted on a phone', async () => {
  const phone = await open();
  await phone.page.setViewportSize({ width: 390, height: 800 });
  await phone.show('/operations/addPet');
  const row = phone.page
    .getByRole('region', { name: 'Who would be refused?', exact: true })
    .getByRole('row', { name: /Shop/ });
  await row.getByRole('button', { name: 'Exempt…' }).click();
  const dialog = phone.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Exempt the key' }).waitFor();
  await phone.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  // The button has two places, and only one of them is shown.
  expect(await row.getByRole('button', { name: 'Exempt…' }).count()).toBe(1);
  await expectReadable(phone, 'phone');
});

test('the screens about requests that do not fit are readable at every width, in light and dark', async () => {
  const opening = await open();
  const screens = ['/operations', `/keys/${keyId}`, '/owners/acme', `/keys/${keyId}?do=exempt`];
  for (const by of ['key', 'owner', 'rule']) screens.push(`/operations/addPet?by=${by}`);
  for (const screen of screens) {
    await opening.show(screen);
    for (const step of await opening.page.getByText('Go from report to enforce').all()) await step.click();
    await expectReadable(opening, screen);
  }
});

test('consumers see the rules that their calls broke, with an example from the document', async () => {
  const portal = await openPortal(console, 'acme', Date.now());
  opened.push(portal);
  await portal.show('/requests');
  const section = portal.page.getByRole('region', { name: 'Calls that do not fit the reference' });
  await section.getByText('example: "Rex"').waitFor();
  expect(await section.textContent()).toContain('/name is missing');
  await expectReadable(portal, 'portal');
});

/** Asserts that there are no page errors, and no visual problems in light and dark. */
async function expectReadable(page: BrowserPage, name: string): Promise<void> {
  expect([name, await page.pageErrors(), await findVisualProblems(page)]).toEqual([name, [], []]);
  for (const width of [390, 1024, 1440]) {
    await page.page.setViewportSize({ width, height: 800 });
    const isTooWide = (await page.overflow()) > 0;
    expect([name, width, isTooWide, await findOverlaps(page)]).toEqual([name, width, false, []]);
  }
}
