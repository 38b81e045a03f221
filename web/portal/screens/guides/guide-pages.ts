import { splitSections } from '../../markdown/sections.ts';
import { type ConsumerError, consumerErrors, errorTable } from './consumer-errors.ts';
import { GUIDES } from './guides.ts';

/**
 * A guide in Markdown. The build writes the guides beside the pages. The gateway serves them with its current limits.
 */
interface GuidePage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The sections. Their examples call the API at `http://127.0.0.1:8080`. */
  readonly sections: readonly GuideSection[];
  /** The table of errors at the end, for programs that read the guide. The page shows its own table instead. */
  readonly table: GuideSection | null;
}

interface GuideSection {
  readonly title: string;
  readonly markdown: string;
}

/**
 * Lists the errors with which the gateway responds to calls.
 *
 * @param errors the text of docs/errors.md
 */
export function apiErrors(errors: string): readonly ConsumerError[] {
  return consumerErrors(splitSections(errors).get('API errors') ?? '');
}

/**
 * Creates the guides.
 *
 * @param consumers the text of docs/consumers.md
 * @param errors the text of docs/errors.md
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
