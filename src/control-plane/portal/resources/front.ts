import type { EventTypeInfo } from '../../../openapi/event-type.ts';
import type { Plan } from '../../registry/plan.ts';
import type { Registry } from '../../registry/registry.ts';
import { describeApi, firstCall, type Outline, type Service } from '../front/outline.ts';
import { firstParagraph } from '../front/plain-text.ts';
import { planJson } from './plans.ts';
import type { PortalOperations } from './portal-handlers.ts';
import { storedReference } from './reference.ts';
import { eventTypesJson } from './webhooks.ts';

export interface FrontDependencies {
  /** `portal.public`. */
  readonly isPublic: boolean;
  /** `portal.description`. */
  readonly description: string | null;
  readonly outline: Outline;
  readonly registry: Pick<Registry, 'listPlans'>;
  /** The plan of new accounts. */
  readonly plan: string;
  readonly requestablePlans: readonly string[];
  readonly eventTypes: () => readonly EventTypeInfo[];
}

/** For everybody: caches may keep it for a minute. */
const CACHED = { 'Cache-Control': 'public, max-age=60' };

/** What is the same for everybody, and holds nothing of any account. */
export function frontOperations(
  dependencies: FrontDependencies,
): Pick<PortalOperations, 'getPublicFront' | 'listPublicPlans' | 'getPublicReference' | 'listPublicEventTypes'> {
  const { isPublic, description, outline, registry, plan: firstPlan, requestablePlans, eventTypes } = dependencies;
  // Otherwise only people with a session may read it.
  const headers = isPublic ? CACHED : {};
  const front = {
    description: describeApi(description, outline),
    services: outline.services.map(serviceJson),
    firstCall: firstCallJson(outline),
  };

  return {
    getPublicFront: () => ({ status: 200, body: front, headers }),

    async listPublicPlans() {
      const plans = offeredPlans(await registry.listPlans(), [firstPlan, ...requestablePlans]);
      return { status: 200, body: { items: plans.map(planJson) }, headers };
    },

    getPublicReference: () => ({ status: 200, stored: storedReference(outline.document), headers }),

    listPublicEventTypes: () => ({ status: 200, body: { items: eventTypesJson(eventTypes()) }, headers }),
  };
}

function serviceJson({ name, title, description, operations, tags }: Service) {
  const text = firstParagraph(description ?? '', MAX_DESCRIPTION);
  return { name, title, description: text === '' ? null : text, operations, tags: [...tags] };
}

const MAX_DESCRIPTION = 500;

function firstCallJson(outline: Outline) {
  const { path, needsKey } = firstCall(outline);
  return { path, needsKey };
}

/** In this order, each once. Those that are gone, or whose limits differ for each key, cannot be offered. */
function offeredPlans(plans: readonly Plan[], ids: readonly string[]): Plan[] {
  const known = new Map(plans.map((plan) => [plan.id, plan]));
  return [...new Set(ids)].flatMap((id) => {
    const plan = known.get(id);
    return plan === undefined || plan.custom ? [] : [plan];
  });
}
