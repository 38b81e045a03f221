import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway, type StoreKind } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { WORK_PER_ADMISSION, toRunningContender, type Contender, type Running } from './contender.ts';

export const bannedEmbedded: Contender = {
  name: 'banned-embedded',
  title: '**Tollgate**, banned key (403), embedded store',
  start: (lab) => startBanningGateway(lab, 'embedded'),
};

export const bannedRedis: Contender = {
  name: 'banned',
  title: '**Tollgate**, banned key (403), Redis',
  redis: WORK_PER_ADMISSION,
  start: (lab) => startBanningGateway(lab, 'redis'),
};

async function startBanningGateway(lab: Lab, store: StoreKind): Promise<Running> {
  const settings = { bans: { grace: '1ms', durations: ['24h'] } };
  const gateway = await startGateway(lab, { store, upstream: 'in-process', settings });
  const running = toRunningContender(gateway, await gateway.createKey({ minute: 1, day: 1_000_000 }), 403);
  await triggerBan(running);
  return running;
}

/**
 * Sends one admitted request, one refused request, and then more requests than a ban needs. The limit is high because
 * no strikes are counted while Redis is slow.
 */
async function triggerBan({ url, headers }: Running): Promise<void> {
  for (let call = 0; call < 400; call++) {
    const { status } = await fetch(url, { headers });
    if (status === 403) return;
    await sleep(20);
  }
  throw new Error('the key was not banned');
}
