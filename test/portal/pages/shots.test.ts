import { test } from '@jest/globals';
import { startPortalPages } from './pages.ts';
import { mkdirSync } from 'node:fs';

test('shots', async () => {
  const portal = await startPortalPages({ settings: { portal: { title: 'Acme API' } } });
  mkdirSync('/tmp/shots', { recursive: true });
  const id = await portal.account('acme', { name: 'Acme Ltd.' });
  const link = await portal.open(`token=${await portal.link(id)}`);
  await link.page.getByRole('button', { name: /^Sign in as/ }).waitFor();
  await link.page.screenshot({ path: '/tmp/shots/link.png' });
  const si = await portal.open('/overview');
  await si.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await si.page.screenshot({ path: '/tmp/shots/signin.png' });
  const api = await portal.signedInAs(id);
  await (async () => {
    const made = (await api.post('/api/keys', { name: 'Shop backend' })).body;
    await api.post('/api/keys', { name: 'Nightly' });
    for (let i = 0; i < 62; i++)
      await portal.gateway.call(i % 3 ? '/pets' : '/pets/1', {
        key: made.key,
        headers: { 'X-Request-Id': 'req-000' + i },
      });
    await api.post(`/api/keys/${made.id}/rotate`, { graceSeconds: 3600 });
    await api.post('/api/plan-requests', { plan: 'pro', message: 'We launch in December' });
  })();
  await new Promise((r) => setTimeout(r, 11000));
  const one = await portal.openAs(id);
  for (const [name, at] of Object.entries({
    overview: '/overview',
    keys: '/keys',
    usage: '/usage?period=1h',
    requests: '/requests?id=req-00061',
    changes: '/changes',
    plans: '/plans',
    reference: '/reference',
    operation: '/reference/getPet',
    create: '/reference/createPet',
    start: '/docs/getting-started',
    limits: '/docs/limits',
    errors: '/docs/errors',
    account: '/account',
  })) {
    await one.show(at);
    await one.page.setViewportSize({ width: 1280, height: 800 });
    await one.page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: name !== 'errors' });
    await one.page.setViewportSize({ width: 360, height: 740 });
    const over = await one.overflow();
    if (over > 0) console.log(name, 'overflow', over);
    await one.page.screenshot({ path: `/tmp/shots/${name}-narrow.png` });
    await one.page.setViewportSize({ width: 1280, height: 800 });
  }
  console.log(await one.faults());
  await portal.stop();
}, 120000);
