import { randomId } from '../../base/secrets.ts';
import { GATEWAY, type NewEvent } from './event.ts';
import { type GatewayEventData, type GatewayEventName, gatewayEvents } from './catalogue.ts';

/** What an event is about, and when it was. */
export type About = Pick<NewEvent, 'subject' | 'owner' | 'at' | 'uniqueKey'>;

/** @throws ZodError if the data are not what the catalogue says: the mistake is in this program */
export function gatewayEvent<Name extends GatewayEventName>(
  type: Name,
  data: GatewayEventData<Name>,
  { subject, owner, at, uniqueKey }: About,
): NewEvent {
  const id = randomId('evt');
  return { id, type, subject, owner, at, uniqueKey, source: GATEWAY, data: gatewayEvents[type].data.parse(data) };
}
