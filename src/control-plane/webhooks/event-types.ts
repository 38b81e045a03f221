import { RegistryError } from '../../domain/registry-error.ts';
import type { Audience, EventTypeInfo } from '../../openapi/event-type.ts';
import { gatewayEvents } from '../events/gateway-events.ts';
import { type Event, GATEWAY } from '../events/event.ts';
import { ALL_TYPES } from './webhook.ts';

/** The type of test events. They are sent to a webhook whatever its types are. */
const TEST_TYPE = 'webhook.test';

const gatewayTypes: ReadonlyMap<string, EventTypeInfo> = new Map(
  Object.entries(gatewayEvents).map(([name, { summary, audience }]) => [
    name,
    { name, source: GATEWAY, summary, audience },
  ]),
);

/** All event types: the gateway's own and those of services. */
export class EventTypes {
  readonly #getServiceTypes: () => readonly EventTypeInfo[];

  /** @param getServiceTypes called each time, because services may change while the gateway runs */
  constructor(getServiceTypes: () => readonly EventTypeInfo[] = () => []) {
    this.#getServiceTypes = getServiceTypes;
  }

  /** Finds the audience of an event. Events of a type that no longer exists are only for operators. */
  findAudience({ type, source }: Pick<Event, 'type' | 'source'>): Audience {
    const isMatch = (info: EventTypeInfo) => info.name === type && info.source === source;
    const eventType = source === GATEWAY ? gatewayTypes.get(type) : this.#getServiceTypes().find(isMatch);
    return eventType?.audience ?? 'operators';
  }

  listAll(): EventTypeInfo[] {
    return [...gatewayTypes.values(), ...this.#getServiceTypes()];
  }

  /**
   * The event types that a webhook may subscribe to, sorted by name.
   *
   * @param accountId the account that the webhook belongs to; null: the operators
   */
  listAvailable(accountId: string | null): EventTypeInfo[] {
    const types = this.listAll().filter(({ name }) => name !== TEST_TYPE);
    const visibleTypes = accountId === null ? types : types.filter(({ audience }) => audience !== 'operators');
    return visibleTypes.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /**
   * Checks types, and returns them as they are stored: sorted and without duplicates.
   *
   * @throws RegistryError `event_type_unknown`, even for a type that exists but that this account may not see
   */
  checkTypes(types: readonly string[], accountId: string | null): string[] {
    if (types.includes(ALL_TYPES)) {
      if (types.length === 1) return [ALL_TYPES];
      throw new RegistryError('event_type_unknown', `must be only ["${ALL_TYPES}"], or a list without it`);
    }
    const available = new Set(this.listAvailable(accountId).map(({ name }) => name));
    if (types.length > 0 && types.every((type) => available.has(type))) return [...new Set(types)].sort();
    throw new RegistryError('event_type_unknown', `must be ["${ALL_TYPES}"] or some of ${[...available].join(', ')}`);
  }
}
