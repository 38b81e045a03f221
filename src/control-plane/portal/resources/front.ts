import type { EventTypeInfo } from '../../../openapi/event-type.ts';
import type { Plan } from '../../../domain/plan.ts';
import { StoredText } from '../../../http/stored-text.ts';
import type { TeamPages } from '../front/team-pages.ts';
import { type Guides, withApiUrl } from '../front/guides.ts';
import { describeApi, type Outline, type Service } from '../front/outline.ts';
import { findReferenceParts, type WantedPart } from '../front/reference-parts.ts';
import { invalidField, Refused } from '../../api-server/refused.ts';
import { toPlanJson } from './plans.ts';
import type { PortalOperations, Schemas } from './portal-handlers.ts';
import { storeDocument } from '../../gateway-endpoints/endpoint-handlers.ts';
import { toEventTypesJson } from './webhooks.ts';

interface FrontDependencies {
  /** `portal.public`. */
  readonly isPublic: boolean;
  /** `portal.description`. */
  readonly description: string | null;
  readonly teamPages: TeamPages;
  readonly outline: Outline;
  readonly limits: Schemas['CallLimits'];
  /** The guides with the limits in force. */
  readonly guides: Guides;
  /** URL of the API. */
  readonly apiUrl: () => string;
  readonly offeredPlans: () => Promise<readonly Plan[]>;
  readonly eventTypes: () => readonly EventTypeInfo[];
}

/** The header of responses that everybody may read. Caches may store them for a minute. */
const CACHE_HEADERS = { 'Cache-Control': 'public, max-age=60' };

/** Creates the operations whose responses are the same for all callers and contain no data of any account. */
export function createFrontOperations(
  dependencies: FrontDependencies,
): Pick<
  PortalOperations,
  | 'getPublicFront'
  | 'listPublicPlans'
  | 'getPublicLimits'
  | 'listPublicGuides'
  | 'getPublicReference'
  | 'getPublicReferenceIndex'
  | 'getPublicReferencePart'
  | 'getPublicSearchIndex'
  | 'listPublicEventTypes'
  | 'listPublicPages'
  | 'getPublicPage'
> {
  const { isPublic, description, teamPages, outline, limits, guides, apiUrl, offeredPlans, eventTypes } = dependencies;
  // If the portal is not public, only people with a session may read the responses, so shared caches must not keep
  // them.
  const headers = isPublic ? CACHE_HEADERS : {};
  const parts = findReferenceParts(outline);
  const frontJson = {
    description: describeApi(description, outline),
    services: outline.services.map(toServiceJson),
    firstCall: outline.firstCall,
  };

  const pages = [...teamPages].map(([name, { title, description }]) => ({ name, title, description }));
  const pageList = new StoredText(JSON.stringify({ items: pages }));
  let pageTexts: StoredText | undefined;
  function getPageTexts(): StoredText {
    const items = pages.map((page) => ({ ...page, text: teamPages.get(page.name)?.markdown ?? '' }));
    return (pageTexts ??= new StoredText(JSON.stringify({ items })));
  }

  let guideTexts: StoredText | undefined;
  // The texts are created on request, because the URL of the API is known only once the gateway listens.
  const getGuideTexts = () =>
    (guideTexts ??= new StoredText(JSON.stringify({ items: toGuidesJson(guides, apiUrl()) })));

  return {
    getPublicFront: () => ({ status: 200, body: frontJson, headers }),

    async listPublicPlans() {
      return { status: 200, body: { items: (await offeredPlans()).map((plan) => toPlanJson(plan, outline)) }, headers };
    },

    getPublicLimits: () => ({ status: 200, body: limits, headers }),

    listPublicGuides: () => ({ status: 200, stored: getGuideTexts(), headers }),

    async getPublicReference() {
      return { status: 200, stored: await storeDocument(outline.document), headers };
    },

    async getPublicReferenceIndex() {
      return { status: 200, stored: await storeDocument(await parts.index()), headers };
    },

    async getPublicReferencePart({ query }) {
      const stored = await parts.part(readWantedPart(query));
      if (stored === null)
        throw new Refused('route_not_found', { message: 'The document of the API has no such part.' });
      return { status: 200, stored, headers };
    },

    async getPublicSearchIndex() {
      return { status: 200, stored: await parts.searchIndex(), headers };
    },

    listPublicEventTypes: () => ({ status: 200, body: { items: toEventTypesJson(eventTypes()) }, headers }),

    listPublicPages: ({ query }) => ({
      status: 200,
      stored: query.text === 'true' ? getPageTexts() : pageList,
      headers,
    }),

    getPublicPage({ path: { name } }) {
      const page = teamPages.get(name);
      if (page === undefined) throw new Refused('route_not_found', { message: 'There is no page with this name.' });
      return { status: 200, body: { name, title: page.title, markdown: page.markdown }, headers };
    },
  };
}

function toGuidesJson(guides: Guides, apiUrl: string): readonly Schemas['Guide'][] {
  const address = apiUrl.replace(/\/$/, '');
  return [...guides].map(([name, { title, sections }]) => ({
    name,
    title,
    sections: sections.map((section) => ({ ...section, markdown: withApiUrl(section.markdown, address) })),
  }));
}

function readWantedPart(query: Partial<Record<WantedPart['kind'], string>>): WantedPart {
  const [part, extraPart] = Object.entries(query);
  if (part === undefined || extraPart !== undefined)
    throw invalidField('/query', 'must be one of operation, event, schema');
  return { kind: part[0] as WantedPart['kind'], name: part[1] };
}

function toServiceJson({ name, title, summary, operations, tags }: Service) {
  return { name, title, description: summary, operations, tags: [...tags] };
}
