import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { webhooksCreate } from './create.ts';
import { webhooksDelete } from './delete.ts';
import { webhooksDeliveries } from './deliveries.ts';
import { webhooksDisable } from './disable.ts';
import { webhooksEnable } from './enable.ts';
import { webhooksList } from './list.ts';
import { webhooksRedeliver } from './redeliver.ts';
import { webhooksRotateSecret } from './rotate-secret.ts';
import { webhooksShow } from './show.ts';
import { webhooksTest } from './test.ts';

export function webhookVerbs(io: Io): Command[] {
  return [
    webhooksCreate(io),
    webhooksList(io),
    webhooksShow(io),
    webhooksEnable(io),
    webhooksDisable(io),
    webhooksDelete(io),
    webhooksTest(io),
    webhooksRotateSecret(io),
    webhooksDeliveries(io),
    webhooksRedeliver(io),
  ];
}
