import type { Audience } from '../../../openapi/event-type.ts';
import type { Event } from '../../events/event.ts';
import { ALL_TYPES } from '../webhook.ts';

/** A webhook, with what of its account decides what it may see. */
export interface Subscriber {
  readonly webhookId: string;
  /** Null: the operators', who see all. */
  readonly account: { readonly owner: string; readonly plan: string } | null;
  readonly types: readonly string[];
}

export type RoutedEvent = Pick<Event, 'type' | 'owner' | 'subject'>;

/**
 * Whether an account may see an event. What has an owner is nobody else's, whatever its audience. Of what is for those
 * with a plan, the subject is the plan.
 */
export function maySee(
  { owner, subject }: RoutedEvent,
  audience: Audience,
  account: NonNullable<Subscriber['account']>,
): boolean {
  if (audience === 'operators') return false;
  if (owner !== null) return owner === account.owner;
  if (audience === 'plan') return subject === account.plan;
  return audience === 'everyone';
}

/** Whether an event is delivered to a webhook: it may see it, and asked for its type. */
export function isFor(event: RoutedEvent, audience: Audience, { account, types }: Subscriber): boolean {
  const asked = types[0] === ALL_TYPES || types.includes(event.type);
  return asked && (account === null || maySee(event, audience, account));
}
