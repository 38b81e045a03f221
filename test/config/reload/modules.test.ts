import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createDocument,
  createPlans,
  type ReloadingGateway,
  startReloadingGateway,
} from '../../support/gateway/reloading-gateway.ts';
import { until } from '../../support/until.ts';

/** The lifecycle events of the modules. */
const events: string[] = [];
Object.assign(globalThis, { moduleEvents: events });
const MODULE = `
export default {
  async create({ name, slowMs = 0, fails = false }) {
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    if (fails) throw new Error('its disk is full');
    globalThis.moduleEvents.push(name + ' opened');
    return {
      handler: (req, res) => void res.end(name),
      close: () => void globalThis.moduleEvents.push(name + ' closed'),
    };
  },
};`;

let gateway: ReloadingGateway;
const pets = { name: 'pets', openapi: 'pets.yaml', module: 'module.js', options: { name: 'pets' } };
const shop = { name: 'shop', openapi: 'shop.yaml', module: 'module.js', options: { name: 'shop' } };
const createSettings = (...upstreams: object[]) => ({ plans: 'plans.yaml', upstreams });

beforeAll(async () => {
  gateway = await startReloadingGateway((write) => {
    write('package.json', '{"type":"module"}');
    write('module.js', MODULE);
    write('pets.yaml', createDocument({ pets: {} }));
    write('shop.yaml', createDocument({ shop: {} }));
    write('plans.yaml', createPlans({ minute: 100_000, day: 100_000 }));
    return { settings: createSettings(pets) };
  });
});
afterAll(() => gateway.stop());

const readStatus = async (path: string) => (await gateway.call(path)).status;

test('an added module is opened, and a removed one is closed after its last request', async () => {
  gateway.configure(createSettings(pets, shop));
  const { body } = await gateway.reload();
  expect(body.restart).toEqual([]);
  expect(body.changed).toEqual(expect.arrayContaining(['upstreams.shop.module', 'upstreams.shop.options.name']));
  expect(await (await gateway.call('/shop')).text()).toBe('shop');
  gateway.configure(createSettings(shop));
  await gateway.reload();
  expect([await readStatus('/pets'), await readStatus('/shop')]).toEqual([404, 200]);
  await until(() => events.includes('pets closed'));
  expect(events).toEqual(['pets opened', 'shop opened', 'pets closed']);
});

test('a running module is not opened again, so its options need a restart, but its other settings are applied', async () => {
  events.length = 0;
  gateway.configure(createSettings({ ...shop, prefix: '/v2', options: { name: 'another' } }));
  expect(await gateway.reload()).toMatchObject({
    body: { changed: ['upstreams.shop.prefix'], restart: ['upstreams.shop.options.name'] },
  });
  expect(await (await gateway.call('/v2/shop')).text()).toBe('shop');
  expect(events).toEqual([]);
});

test('if a module fails to start, the reload changes nothing and closes the modules that it had opened', async () => {
  events.length = 0;
  gateway.configure(
    createSettings(shop, pets, { ...pets, name: 'third', openapi: 'third.yaml', options: { fails: true } }),
  );
  gateway.write('third.yaml', createDocument({ third: {} }));
  const { status, body } = await gateway.reload();
  expect([status, body.details]).toEqual([422, [{ path: '/', message: 'upstream third: its disk is full' }]]);
  expect(events).toEqual(['pets opened', 'pets closed']);
  expect([await readStatus('/v2/shop'), await readStatus('/pets')]).toEqual([200, 404]);
});

test('while a module starts slowly, requests are served, and further reloads wait and run as one', async () => {
  const reloads = () => gateway.logs.filter((line) => line.includes('"msg":"configuration reloaded"')).length;
  const before = reloads();
  gateway.configure(createSettings({ ...shop, prefix: '/v2' }, { ...pets, options: { name: 'pets', slowMs: 300 } }));
  const first = gateway.reload();
  const others = Array.from({ length: 20 }, () => gateway.reload());
  expect(await readStatus('/v2/shop')).toBe(200);
  expect((await first).status).toBe(200);
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
  expect(reloads() - before).toBe(2);
});

// Many modules resolve the references in their document in place, which makes the document circular.
test('a module can modify its document and its options without affecting others', async () => {
  const changing = `
    export default {
      create(options, { openapi }) {
        options.name = 'changed';
        openapi.components = { schemas: { Self: openapi } };
        return { handler: (req, res) => void res.end('changed') };
      },
    };`;
  gateway.write('changing.js', changing);
  gateway.write('changing.yaml', createDocument({ changing: {} }));
  gateway.configure(createSettings({ ...pets, name: 'changing', openapi: 'changing.yaml', module: 'changing.js' }));
  expect(await gateway.reload()).toMatchObject({ status: 200 });
  expect(await gateway.reload()).toMatchObject({ status: 200, body: { changed: [], restart: [], warnings: [] } });
  expect(await (await gateway.call('/changing')).text()).toBe('changed');
});
