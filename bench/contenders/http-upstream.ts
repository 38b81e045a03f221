import { startGateway, type StoreKind } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { WORK_PER_ADMISSION, toRunningContender, type Contender, type Running } from './contender.ts';

export const httpUpstreamEmbedded: Contender = {
  name: 'http-upstream-embedded',
  title: '**Tollgate**, HTTP upstream, embedded store',
  start: (lab) => startHttpUpstream(lab, 'embedded'),
};

export const httpUpstreamRedis: Contender = {
  name: 'http-upstream',
  title: '**Tollgate**, HTTP upstream, Redis',
  redis: WORK_PER_ADMISSION,
  start: (lab) => startHttpUpstream(lab, 'redis'),
};

async function startHttpUpstream(lab: Lab, store: StoreKind): Promise<Running> {
  const gateway = await startGateway(lab, { store, upstream: 'http' });
  const key = await gateway.createKey();
  return toRunningContender(gateway, key);
}
