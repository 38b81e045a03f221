import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startClients } from '../support/gateway/alternating-clients.ts';
import { runSlowGateway, type SlowGateway } from '../support/gateway/lifecycle.ts';
import { freePorts } from '../support/servers/redis-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CLIENTS = 24;
const PATHS = ['/now', '/slow?ms=30', '/stream?ms=20'];

test('no request fails while two gateways are restarted one after the other under load', async () => {
  const folders = [tempFolder(), tempFolder()];
  const ports = await freePorts(2);
  const start = (index: number) =>
    runSlowGateway(folders[index]?.path ?? '', {}, { TOLLGATE_PORT: String(ports[index]) });
  const gateways = await Promise.all([start(0), start(1)]);
  const [first, second] = gateways.map(({ publicUrl, key }) => ({ url: publicUrl, key }));
  const clients = startClients({ count: CLIENTS, paths: PATHS, addresses: [first!, second!] });

  const restart = async (index: number): Promise<void> => {
    const gateway = gateways[index] as SlowGateway;
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended()).toBe(0);
    gateways[index] = await start(index);
    await sleep(300);
  };
  await sleep(300);
  await restart(0);
  await restart(1);
  await clients.stop();

  expect(clients.tally.failures).toEqual([]);
  expect(clients.tally.served).toBeGreaterThan(500);
  expect(clients.tally.refused).toBeGreaterThan(0);
  for (const gateway of gateways) gateway.child.kill('SIGTERM');
  for (const gateway of gateways) expect(await gateway.ended()).toBe(0);
  for (const folder of folders) folder.remove();
});
