import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway, TestKey } from './gateway.ts';

export interface Situation {
  readonly title: string;
  /** The part of the API that is called. */
  readonly path: '/models-api' | '/old-api' | '/failing-api';
  readonly limits: { readonly minute: number; readonly day: number };
  /** Brings the key into the situation. */
  readonly prepare: (gateway: Gateway, key: TestKey) => Promise<void>;
}

/** The limits of the Free plan. */
const FREE = { minute: 60, day: 1000 };

const fill = (gateway: Gateway, key: TestKey) => gateway.use(key, FREE.minute);
const nothing = async () => {};

export const situations: readonly Situation[] = [
  { title: 'per-minute limit reached, 60 s left', path: '/models-api', limits: FREE, prepare: fill },
  {
    title: 'per-minute limit reached, 20 s left',
    path: '/models-api',
    limits: FREE,
    async prepare(gateway, key) {
      await fill(gateway, key);
      await sleep(40_000);
    },
  },
  {
    title: 'daily limit reached',
    path: '/models-api',
    limits: { minute: FREE.minute, day: FREE.minute },
    prepare: fill,
  },
  { title: 'banned', path: '/models-api', limits: FREE, prepare: (gateway, key) => gateway.ban(key, 900) },
  { title: 'brownout', path: '/old-api', limits: FREE, prepare: nothing },
  { title: '503 from the service', path: '/failing-api', limits: FREE, prepare: nothing },
];
