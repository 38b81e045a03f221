import { startGateway, type StoreKind } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { WORK_PER_ADMISSION, toRunningContender, type Contender, type Running } from './contender.ts';

/** Requests that are refused. A client that does not back off must not cost more than a client that is served. */
export const refusedEmbedded: Contender = {
  name: 'refused-embedded',
  title: '**Tollgate**, key out of quota (429), embedded store',
  start: (lab) => startRefusingGateway(lab, 'embedded'),
};

export const refusedRedis: Contender = {
  name: 'refused',
  title: '**Tollgate**, key out of quota (429), Redis',
  redis: WORK_PER_ADMISSION,
  start: (lab) => startRefusingGateway(lab, 'redis'),
};

async function startRefusingGateway(lab: Lab, store: StoreKind): Promise<Running> {
  // The number of strikes is so high that the key is never banned.
  const settings = { bans: { strikes: 1_000_000_000 } };
  const gateway = await startGateway(lab, { store, upstream: 'in-process', settings });
  const key = await gateway.createKey({ minute: 1, day: 1_000_000 });
  await fetch(gateway.petUrl, { headers: { 'X-API-Key': key } });
  return toRunningContender(gateway, key, 429);
}
