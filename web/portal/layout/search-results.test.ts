import { expect, test } from '@jest/globals';
import { textSections } from '../markdown/headings.ts';
import { readReference } from '../reference/model/reference.ts';
import { findResults } from './search-results.ts';

const reference = readReference({
  paths: { '/pets': { get: { operationId: 'listPets', summary: 'List pets' } } },
});
const index = { operations: ['listPets'], descriptions: [''], fields: { photoUrls: [0] } };
const errors = [{ code: 'rate_limit_exceeded', status: '429', message: 'Wait.' }];
const guides = [
  {
    href: '/docs/limits',
    title: 'Limits',
    sections: textSections(
      '## Headers\n\nA list.\n\n### Retries\n\nAfter a 429, wait for Retry-After.\n\n## Bans\n\nNo list.',
    ),
  },
  { href: '/docs/keys', title: 'Keys', sections: textSections('The format of a key.') },
];
const places = [
  { label: 'Keys', to: '/keys' },
  { label: 'Plans', to: '/plans' },
];
const webhooks = [{ id: 'wh_1', url: 'https://shop.example.com/hooks', description: 'Orders backend' }];
const events = [{ name: 'quota.threshold', summary: 'A window is 80% used.' }];

test.each([
  ['', ['page /keys', 'page /plans']],
  ['price', ['page /plans']],
  ['upgrade', ['page /plans']],
  ['orders', ['webhook wh_1']],
  ['shop.example', ['webhook wh_1']],
  ['credential', ['page /keys']],
  ['key', ['page /keys', 'guide /docs/keys']],
  ['pets', ['operation listPets']],
  ['photourls', ['field listPets']],
  ['fotourls', ['field listPets']],
  ['GET /pets', ['operation listPets']],
  ['limits', ['guide /docs/limits']],
  ['rate limit', ['error rate_limit_exceeded']],
  ['429', ['error rate_limit_exceeded', 'guide /docs/limits']],
  ['retry-after', ['guide /docs/limits']],
  ['Threshold', ['event quota.threshold']],
  ['0f7c1f8e-2a53-4a63-9a3c-6f0a4f4b6f0e', ['request 0f7c1f8e-2a53-4a63-9a3c-6f0a4f4b6f0e']],
  // The text is a secret, which must not get into the URL, so it is not searched for as a request id.
  ['tg_live_12345678', []],
])('%j finds %j', (text, ids) => {
  const { results } = findResults(text, { places, reference, index, events, errors, guides, webhooks });
  expect(results.map(({ id }) => id)).toEqual(ids);
});

test('an error leads to its row, and a guide to the section that mentions the text', () => {
  const { results: found } = findResults('429', { places, reference, index, events, errors, guides, webhooks });
  expect(found.map(({ href, detail }) => [href, detail])).toEqual([
    ['/docs/errors#rate_limit_exceeded', '429: Wait.'],
    ['/docs/limits#retries', 'Retries'],
  ]);
});

test.each([
  ['limits', '/docs/limits'],
  ['bans', '/docs/limits#bans'],
  ['no list', '/docs/limits#bans'],
  ['list retry-after', '/docs/limits#headers'],
  ['format', '/docs/keys'],
])('%j leads to %s', (text, href) => {
  const { results } = findResults(text, { places, reference, index, events, errors, guides, webhooks });
  expect(results.find(({ kind }) => kind === 'Guide')?.href).toBe(href);
});

test.each([
  // Words without a mistake must stay as they are, even if only a guide, an error, an event or a page contains them.
  ['list petz', 'list pets', 'operation listPets'],
  ['list the petz', 'list the pets', 'operation listPets'],
  ['GET /petss', 'get pets', 'operation listPets'],
  ['fotourls pets', 'photourls pets', 'field listPets'],
  ['wait retry-aftr', 'wait retry-after', 'guide /docs/limits'],
  ['format kyes', 'format keys', 'guide /docs/keys'],
  ['rate limt', 'rate limit', 'error rate_limit_exceeded'],
  ['quota.treshold', 'quota.threshold', 'event quota.threshold'],
  ['pricng', 'pricing', 'page /plans'],
  ['orders bakend', 'orders backend', 'webhook wh_1'],
])('%j finds what %j does, and says so', (text, corrected, first) => {
  const searched = { places, reference, index, events, errors, guides, webhooks };
  const found = findResults(text, searched);
  expect(found.corrected).toBe(corrected);
  expect(found.results[0]?.id).toBe(first);
  expect(found.results).toEqual(findResults(corrected, searched).results);
});

test.each(['pets', 'keys', 'zzzzzz', 'pets zzzzzz', 'photourls orders'])('%j is not corrected', (text) => {
  const searched = { places, reference, index, events, errors, guides, webhooks };
  expect(findResults(text, searched).corrected).toBeNull();
});

test('a word is corrected before the operations are loaded', () => {
  const searched = { places, reference: null, index: undefined, events, errors, guides, webhooks };
  expect(findResults('rate limt', searched).corrected).toBe('rate limit');
});

test('a field with exactly that name is found as a field, also if a description mentions it', () => {
  const described = { ...index, descriptions: ['With photoUrls.'] };
  const { results } = findResults('photoUrls', {
    places,
    reference,
    index: described,
    events,
    errors,
    guides,
    webhooks,
  });
  expect(results[0]?.id).toBe('field listPets');
});

const get = (operationId: string, summary?: string, more: object = {}) => ({ get: { operationId, summary, ...more } });
const large = readReference({
  paths: {
    ...Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `/orders/${at}/bans`,
        get(`listOrders${at}`, `List orders, limits, bans ${at}`),
      ]),
    ),
    '/orders': get('listOrders', 'List the orders', { deprecated: true }),
    '/things': get('limitsOf', 'Limits of a thing'),
    '/bans/{id}': get('oneBan'),
  },
});
const severalEvents = [
  ...Array.from({ length: 20 }, (_, at) => ({ name: `order.${at}.orders.paid`, summary: '' })),
  { name: 'orders.paid', summary: '' },
];

test.each([
  ['listorders', 'operation listOrders'],
  ['List the  orders', 'operation listOrders'],
  ['/orders', 'operation listOrders'],
  ['GET /orders', 'operation listOrders'],
  ['get /bans/{id}', 'operation oneBan'],
  ['plans', 'page /plans'],
  ['limits', 'guide /docs/limits'],
  ['bans', 'guide /docs/limits'],
  ['go', 'guide /pages/go'],
  ['orders.paid', 'event orders.paid'],
  ['rate_limit_exceeded', 'error rate_limit_exceeded'],
])('an exact match with the id, title or path %j comes before results that only contain it', (text, first) => {
  const searched = {
    places: [{ label: 'Plans and limits of orders', to: '/other' }, ...places],
    reference: large,
    index: undefined,
    events: severalEvents,
    errors: [{ code: 'daily_rate_limit_exceeded', status: '429', message: '' }, ...errors],
    guides: [
      {
        href: '/docs/orders',
        title: 'How to list the orders',
        sections: textSections('## listOrders, plans\n\nlimits'),
      },
      ...guides,
      { href: '/pages/go', title: 'Go', sections: [] },
    ],
    webhooks,
  };
  expect(findResults(text, searched).results[0]?.id).toBe(first);
});
