import { isLongerThan, isObject, type JsonObject } from '../../../base/json.ts';
import type { EventTypeInfo } from '../../../openapi/event-type.ts';
import { dereferenced } from '../../../openapi/pointer.ts';
import type { Plan } from '../../../domain/plan.ts';
import { GETTING_STARTED, formatGuide, type Guides, withApiUrl } from './guides.ts';
import { describeApi, nameOperation, type Outline, type OutlinedOperation, readText } from './outline.ts';
import type { TeamPages } from './team-pages.ts';
import { findPage, type FoundPage } from './page-list.ts';

/** The public pages in Markdown, for programs that read them (https://llmstxt.org). */
export interface MarkdownPages {
  /**
   * Finds the page at a path such as `reference/listPets.md`; null if no page can have this path. It does not check
   * whether the page's operation, event or guide exists.
   */
  find(path: string): FoundPage | null;
  /** Writes the text of a page; null if the page's operation, event or guide does not exist. */
  page(found: FoundPage): Promise<string | null>;
  /** Writes the text of `llms.txt`, which is a list of the pages. */
  writeTableOfContents(): string;
}

interface MarkdownPagesDependencies {
  readonly siteTitle: string;
  /** `portal.description`. */
  readonly description: string | null;
  readonly contact: string | null;
  readonly outline: Outline;
  readonly guides: Guides;
  readonly teamPages: TeamPages;
  readonly eventTypes: () => readonly EventTypeInfo[];
  readonly offeredPlans: () => Promise<readonly Plan[]>;
  /** URL of the API. */
  readonly apiUrl: () => string;
}

/** The address of a public page in Markdown, relative to the portal; null if it has none. */
export function getMarkdownAddress({ page, name }: FoundPage): string | null {
  if (page === 'sign-in' || page === 'access') return null;
  return `${page === '' ? 'index' : page.replace('{}', encodeURIComponent(name))}.md`;
}

/**
 * Limits on the length of a page. A page could be far longer than the document, because many references can lead to the
 * same long text. Anything beyond the limits is only in the OpenAPI document.
 */
const MAX_LINE = 500;
const MAX_TEXT = 20_000;
const MAX_PARAMETERS = 200;
const MAX_RESPONSES = 100;
const MAX_MEDIA_TYPES = 20;
/** Longer examples and schemas are left out. They are in the OpenAPI document. */
const MAX_CODE = 20_000;
/** Maximum total length of a page's examples and schemas, including those that turn out to be too long. */
const MAX_JSON_LENGTH = 1_000_000;

export function createMarkdownPages(dependencies: MarkdownPagesDependencies): MarkdownPages {
  const { siteTitle, outline, guides, teamPages, offeredPlans, contact } = dependencies;
  const { document, services, operations } = outline;
  const apiDescription = describeApi(dependencies.description, outline);
  const apiUrl = () => dependencies.apiUrl().replace(/\/$/, '');
  const listEventTypes = () => dependencies.eventTypes().filter(({ audience }) => audience !== 'operators');

  return {
    find(path) {
      if (!path.endsWith('.md')) return null;
      const bare = path.slice(0, -'.md'.length);
      const found = findPage(bare === 'index' ? '' : bare);
      return found === null || bare === '' || !found.isForEverybody ? null : found;
    },

    async page({ page, name }) {
      if (page === '') return writeFront();
      if (page === 'plans') return writePlans(await offeredPlans());
      if (page === 'reference') return writeReference();
      if (page === 'events') return writeEvents();
      if (page === 'reference/{}') return writeOperationPage(document, operations.get(name), apiUrl());
      if (page === 'events/{}') return writeEventPage(name);
      if (page === 'docs/{}') return writeGuide(name);
      if (page === 'pages/{}') return writeTeamPage(name);
      return null;
    },
    writeTableOfContents,
  };

  function writeTableOfContents(): string {
    const pages = [
      writeLink('Introduction', 'index.md', apiDescription ?? 'What the API is, and a first call.'),
      writeLink('Reference', 'reference.md', `${operations.size} operations.`),
      writeLink('OpenAPI document', 'api/public/reference', 'The whole reference as data.'),
      writeLink('Events', 'events.md', 'What webhooks can receive.'),
      writeLink('Plans', 'plans.md', 'Limits of each plan.'),
    ];
    return joinBlocks(
      `# ${toLine(siteTitle)}`,
      apiDescription === null ? null : `> ${apiDescription}`,
      `The API is at ${apiUrl()}.`,
      ['## Pages', pages.join('\n'), '## Guides', writeGuideLinks('')],
    );
  }

  function writeGuideLinks(up: string): string {
    const teamLinks = [...teamPages].map(([name, { title, description }]) =>
      writeLink(title, `${up}pages/${name}.md`, description ?? title),
    );
    const allGuides = [['getting-started', GETTING_STARTED] as const, ...guides];
    const guideLinks = allGuides.map(([name, { title, description }]) =>
      writeLink(title, `${up}docs/${name}.md`, description),
    );
    return [...teamLinks, ...guideLinks].join('\n');
  }

  function writeFront(): string {
    const introductions = services.map(({ title, description }) =>
      joinBlocks(`## ${toLine(title)}`, description === null ? null : description),
    );
    return joinBlocks(
      `# ${toLine(siteTitle)}`,
      apiDescription,
      `The API is at ${apiUrl()}. See the [reference](reference.md), the [events](events.md) and the [plans](plans.md).`,
      introductions,
      '## A first call',
      writeCodeBlock('sh', writeCurlCommand()),
      writeTokenNotice('docs/'),
      `To get a key, see [access](access)${contact === null ? '' : `, or contact ${contact}`}.`,
      '## Guides',
      writeGuideLinks(''),
    );
  }

  function writeCurlCommand(): string {
    const { path, needsKey } = outline.firstCall;
    return `curl ${apiUrl()}${path}${needsKey ? ` \\\n  -H "X-API-Key: $API_KEY"` : ''}`;
  }

  /** @param up the way to the guides */
  function writeTokenNotice(up: string): string | null {
    if (!outline.firstCall.acceptsToken) return null;
    return `An access token of an identity provider works in place of a key: see [authentication](${up}authentication.md).`;
  }

  function writePlans(planList: readonly Plan[]): string {
    const rows = planList.map(({ name, description, priceText, limits, concurrent, operations: included }) => [
      name,
      priceText,
      String(limits?.minute ?? ''),
      String(limits?.day ?? ''),
      String(limits?.month ?? ''),
      String(concurrent ?? ''),
      included === null ? 'all' : included.join(', '),
      description,
    ]);
    const amounts = ['calls a minute', 'calls a day', 'calls a month', 'calls at once'];
    const heads = ['plan', 'price', ...amounts, 'operations', 'description'];
    return joinBlocks('# Plans', writeTable(heads, rows), 'Days and months are calendar days and months in UTC.');
  }

  function writeReference(): string {
    const byTag = Map.groupBy(operations.values(), ({ tag }) => tag ?? 'Other');
    const groups = [...byTag].map(([tag, list]) => {
      const items = list.map((each) => {
        const address = `reference/${encodeURIComponent(each.id)}.md`;
        return writeLink(nameOperation(each), address, `\`${each.method} ${each.path}\``);
      });
      return joinBlocks(`## ${toLine(tag)}`, items.join('\n'));
    });
    return joinBlocks('# Reference', `The API is at ${apiUrl()}. [OpenAPI document](api/public/reference)`, groups);
  }

  function writeEvents(): string {
    const items = listEventTypes().map(({ name, summary }) =>
      writeLink(name, `events/${encodeURIComponent(name)}.md`, summary),
    );
    return joinBlocks('# Events', 'Types of events that webhooks can receive.', items.join('\n'), [
      'See [receiving events](docs/webhooks.md).',
    ]);
  }

  function writeEventPage(name: string): string | null {
    const type = listEventTypes().find((each) => each.name === name);
    if (type === undefined) return null;
    const webhooks = isObject(document['webhooks']) ? document['webhooks'] : {};
    const item = dereferenced(document, webhooks[name]);
    const post = item === null ? null : dereferenced(document, item['post']);
    return joinBlocks(
      `# ${toLine(name)}`,
      type.summary,
      post === null ? null : writeBody(document, post, { remaining: MAX_JSON_LENGTH }),
      ['See [receiving events](../docs/webhooks.md).'],
    );
  }

  function writeGuide(name: string): string | null {
    if (name === 'getting-started') return writeGettingStarted();
    const found = guides.get(name);
    if (found === undefined) return null;
    return joinBlocks(`# ${found.title}`, withApiUrl(formatGuide(found), apiUrl()));
  }

  function writeTeamPage(name: string): string | null {
    const teamPage = teamPages.get(name);
    return teamPage === undefined ? null : joinBlocks(`# ${toLine(teamPage.title)}`, teamPage.markdown);
  }

  function writeGettingStarted(): string {
    return joinBlocks(
      `# ${GETTING_STARTED.title}`,
      '1. Sign in to the portal and create a key; without an account, open its page “Get access” (`/access`) first. The key is shown only once. Store it where your application reads its secrets.',
      '2. Send it with each request:',
      writeCodeBlock('sh', writeCurlCommand()),
      writeTokenNotice(''),
      '3. Each response says how many calls are left. After a 429, wait for the time given in `Retry-After`. See [limits](limits.md).',
      '4. Each response has an `X-Request-Id`. Look a refused request up by it in the portal.',
    );
  }
}

function writeOperationPage(
  document: JsonObject,
  operation: OutlinedOperation | undefined,
  apiUrl: string,
): string | null {
  if (operation === undefined) return null;
  const { method, path, description, value, item, needsKey } = operation;
  const listedParameters = [item['parameters'], value['parameters']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const parameters = listedParameters.slice(0, MAX_PARAMETERS).map((one) => dereferenced(document, one) ?? {});
  const responses = Object.entries(isObject(value['responses']) ? value['responses'] : {}).slice(0, MAX_RESPONSES);
  const budget: Budget = { remaining: MAX_JSON_LENGTH };
  return joinBlocks(
    `# ${toLine(nameOperation(operation))}`,
    writeCodeBlock('http', `${method} ${apiUrl}${path}`),
    value['deprecated'] === true ? '**Deprecated.**' : null,
    needsKey ? null : 'Needs no key.',
    description,
    parameters.length === 0 ? null : joinBlocks('## Parameters', writeParameterTable(parameters)),
    value['requestBody'] === undefined ? null : joinBlocks('## Body', writeBody(document, value, budget)),
    '## Responses',
    responses.map(([status, response]) => {
      const one = dereferenced(document, response);
      return joinBlocks(
        `### ${toLine(status)}`,
        one === null ? null : readDescription(one),
        writeContent(document, one, budget),
      );
    }),
  );
}

function writeParameterTable(parameters: readonly JsonObject[]): string {
  const rows = parameters.map((one) => [
    readText(one, 'name') ?? '',
    readText(one, 'in') ?? '',
    one['required'] === true ? 'yes' : 'no',
    readText(one, 'description') ?? '',
  ]);
  return writeTable(['name', 'in', 'required', 'description'], rows);
}

function writeBody(document: JsonObject, operation: JsonObject, budget: Budget): string {
  const body = dereferenced(document, operation['requestBody']);
  return joinBlocks(body === null ? null : readDescription(body), writeContent(document, body, budget));
}

function readDescription(value: JsonObject): string | null {
  const description = readText(value, 'description');
  return description === null ? null : cutText(description, MAX_TEXT);
}

/** The number of characters that may still be written as JSON. */
interface Budget {
  remaining: number;
}

/** Writes each media type with an example or, if it has none, with the schema from the document. */
function writeContent(document: JsonObject, holder: JsonObject | null, budget: Budget): string {
  const content = holder !== null && isObject(holder['content']) ? holder['content'] : {};
  const parts = Object.entries(content)
    .slice(0, MAX_MEDIA_TYPES)
    .map(([type, media]) => {
      const example = isObject(media) && budget.remaining > 0 ? findExample(document, media) : undefined;
      if (example === undefined || isLongerThan(MAX_CODE, example)) return joinBlocks(`\`${toLine(type)}\``);
      const json = JSON.stringify(example, null, 2);
      budget.remaining -= json.length;
      return joinBlocks(`\`${toLine(type)}\``, json.length > MAX_CODE ? null : writeCodeBlock('json', json));
    });
  return parts.join('\n\n');
}

function findExample(document: JsonObject, media: JsonObject): unknown {
  if (media['example'] !== undefined) return media['example'];
  const [first] = Object.values(isObject(media['examples']) ? media['examples'] : {});
  const example = dereferenced(document, first);
  if (example?.['value'] !== undefined) return example['value'];
  const schema = dereferenced(document, media['schema']);
  if (schema === null) return undefined;
  const [listedExample] = Array.isArray(schema['examples']) ? (schema['examples'] as unknown[]) : [];
  return schema['example'] ?? listedExample ?? addItemSchema(document, schema);
}

/** Adds the schema of a list's items, because the schema of a list says little without it. */
function addItemSchema(document: JsonObject, schema: JsonObject): JsonObject {
  const items = dereferenced(document, schema['items']);
  return items === null ? schema : { ...schema, items };
}

type Block = string | null | readonly string[];

/** Joins blocks of Markdown with an empty line between them. */
function joinBlocks(...blocks: readonly Block[]): string {
  return blocks
    .flat()
    .filter((block) => block !== null && block !== '')
    .join('\n\n');
}

/** Puts free text on one line. */
function toLine(words: string): string {
  return cutText(words, MAX_LINE).replaceAll(/\s+/g, ' ').trim();
}

function cutText(words: string, maxLength: number): string {
  return words.length > maxLength ? `${words.slice(0, maxLength - 1).toWellFormed()}…` : words;
}

function writeLink(label: string, address: string, about: string): string {
  return `- [${toLine(label).replaceAll(/[[\]]/g, '\\$&')}](${address}): ${toLine(about)}`;
}

/** A code block with a fence that the text does not contain. */
function writeCodeBlock(language: string, value: string): string {
  let longest = 2;
  for (const [run] of value.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${value}\n${fence}`;
}

function writeTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const writeRow = (cells: readonly string[]) =>
    `| ${cells.map((cell) => toLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [writeRow(heads), writeRow(heads.map(() => '---')), ...rows.map(writeRow)].join('\n');
}
