import { splitSections } from '../../markdown/sections.ts';
import { type ConsumerError, consumerErrors, errorTable } from './consumer-errors.ts';
import { GUIDES } from './guides.ts';

/**
 * A guide in Markdown. The build writes the guides beside the pages, and the gateway serves them with its limits in
 * force.
 */
interface GuidePage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Examples call the API at `http://127.0.0.1:8080`. */
  readonly sections: readonly GuideSection[];
  /** The rows of the table at the end, for programs. The page has a table of its own. */
  readonly table: GuideSection | null;
}

interface GuideSection {
  readonly title: string;
  readonly markdown: string;
}

/**
 * Lists the error responses of the gateway to calls.
 *
 * @param errors docs/errors.md
 */
export function apiErrors(errors: string): readonly ConsumerError[] {
  return consumerErrors(splitSections(errors).get('API errors') ?? '');
}

/**
 * @param consumers docs/consumers.md
 * @param errors docs/errors.md
 */
export function guidePages(consumers: string, errors: string): readonly GuidePage[] {
  const texts = splitSections(consumers);
  const codes = errorTable(apiErrors(errors));
  return Object.entries(GUIDES).map(([name, { title, description, sections }]) => ({
    name,
    title,
    description,
    sections: sections.map((section) => ({ title: section, markdown: texts.get(section) ?? '' })),
    table: name === 'errors' ? { title: 'Every code', markdown: codes } : null,
  }));
}
