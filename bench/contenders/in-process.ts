import { startGateway, type StoreKind } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { WORK_PER_ADMISSION, toRunningContender, type Contender, type Running } from './contender.ts';

/** The whole product: keys, limits, log, metrics, and the pet store and its database in the same process. */
export const inProcessEmbedded: Contender = {
  name: 'in-process-embedded',
  title: '**Tollgate**, pet store in process, embedded store',
  start: (lab) => startInProcess(lab, 'embedded'),
};

export const inProcessRedis: Contender = {
  name: 'in-process',
  title: '**Tollgate**, pet store in process, Redis',
  redis: WORK_PER_ADMISSION,
  start: (lab) => startInProcess(lab, 'redis'),
};

async function startInProcess(lab: Lab, store: StoreKind): Promise<Running> {
  const gateway = await startGateway(lab, { store, upstream: 'in-process' });
  const key = await gateway.createKey();
  return toRunningContender(gateway, key);
}
