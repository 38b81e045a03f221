import { RegistryError } from '../base/records/registry-error.ts';
import { type Audience, gatewayEvents } from '../events/catalogue.ts';
import { type Event, GATEWAY } from '../events/event.ts';
import { ALL_TYPES } from './webhook.ts';

/** A type of event that a service publishes, as its OpenAPI document has it. */
export interface ServiceEventType {
  readonly name: string;
  readonly audience: Audience;
}

/** Sent to the webhook that is tried, whatever its types are. */
const TEST_TYPE = 'webhook.test';

/** Every type of event that there is: the gateway's own and those of services. */
export class EventTypes {
  readonly #ofServices: () => readonly ServiceEventType[];

  /** @param ofServices asked anew each time: services may change while the gateway runs */
  constructor(ofServices: () => readonly ServiceEventType[] = () => []) {
    this.#ofServices = ofServices;
  }

  /** Who may see an event. What nobody describes any more is the operators' alone. */
  audienceOf({ type, source }: Pick<Event, 'type' | 'source'>): Audience {
    if (source === GATEWAY)
      return (gatewayEvents as Record<string, { audience: Audience }>)[type]?.audience ?? 'operators';
    return this.#ofServices().find(({ name }) => name === type)?.audience ?? 'operators';
  }

  /** What a webhook may ask for, by name. @param accountId the account that it belongs to; null: the operators */
  availableTo(accountId: string | null): string[] {
    const ofGateway = Object.entries(gatewayEvents).map(([name, { audience }]) => ({ name, audience }));
    const all = [...ofGateway, ...this.#ofServices()].filter(({ name }) => name !== TEST_TYPE);
    const seen = accountId === null ? all : all.filter(({ audience }) => audience !== 'operators');
    return [...new Set(seen.map(({ name }) => name))].sort();
  }

  /**
   * The types as they are stored: each once.
   *
   * @throws RegistryError `event_type_unknown`, also for a type that this account may not see
   */
  checked(types: readonly string[], accountId: string | null): string[] {
    if (types.includes(ALL_TYPES)) {
      if (types.length === 1) return [ALL_TYPES];
      throw new RegistryError('event_type_unknown', `must be only ${ALL_TYPES}, or a list of types without it`);
    }
    const available = this.availableTo(accountId);
    const unknown = types.find((type) => !available.includes(type));
    if (types.length > 0 && unknown === undefined) return [...new Set(types)].sort();
    throw new RegistryError('event_type_unknown', `must be ["${ALL_TYPES}"] or some of ${available.join(', ')}`);
  }
}
