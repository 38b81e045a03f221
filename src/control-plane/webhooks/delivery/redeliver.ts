import { RegistryError } from '../../../base/error-types.ts';
import type { WriteContext } from '../../registry/write-context.ts';
import type { Viewer } from '../webhook.ts';
import { webhookById } from '../webhook-rows.ts';
import { tellOfDeliveries } from './announcement.ts';
import type { Delivery } from './delivery.ts';
import { deliveryById } from './delivery-rows.ts';

/** Makes a delivery due now, whatever became of it. One that a gateway is sending at this moment stays as it is. */
export async function redeliver(
  { tx, dialect, announce }: Pick<WriteContext, 'tx' | 'dialect' | 'announce'>,
  viewer: Viewer,
  id: string,
): Promise<Delivery> {
  const delivery = await deliveryById(tx, id);
  const webhook = delivery && (await webhookById(tx, viewer, delivery.webhookId));
  if (delivery === null || webhook === null) {
    throw new RegistryError('delivery_not_found', `there is no delivery ${id}`);
  }
  if (webhook.status !== 'enabled') {
    throw new RegistryError('conflict', `webhook ${webhook.id} is disabled: enable it first`);
  }
  await tx
    .updateTable('deliveries')
    .set({ status: 'pending', due_at: dialect.now, leased_until: null, ended_at: null })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', dialect.now)]))
    .execute();
  tellOfDeliveries(announce);
  return (await deliveryById(tx, id)) ?? delivery;
}
