import { isLongerThan, isObject, type JsonObject } from '../../../base/json.ts';
import type { EventTypeInfo } from '../../../openapi/event-type.ts';
import { dereferenced } from '../../../openapi/pointer.ts';
import type { Plan } from '../../../domain/plan.ts';
import { GETTING_STARTED, guideMarkdown, type Guides, withAddress } from './guides.ts';
import { describeApi, nameOperation, type Outline, type OutlinedOperation, textIn } from './outline.ts';
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
  contents(): string;
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
export function markdownAddress({ page, name }: FoundPage): string | null {
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
const MAX_WRITTEN = 1_000_000;

export function createMarkdownPages(dependencies: MarkdownPagesDependencies): MarkdownPages {
  const { siteTitle, outline, guides, teamPages, offeredPlans, contact } = dependencies;
  const { document, services, operations } = outline;
  const about = describeApi(dependencies.description, outline);
  const apiUrl = () => dependencies.apiUrl().replace(/\/$/, '');
  const types = () => dependencies.eventTypes().filter(({ audience }) => audience !== 'operators');

  return {
    find(path) {
      if (!path.endsWith('.md')) return null;
      const bare = path.slice(0, -'.md'.length);
      const found = findPage(bare === 'index' ? '' : bare);
      return found === null || bare === '' || !found.isForEverybody ? null : found;
    },

    async page({ page, name }) {
      if (page === '') return front();
      if (page === 'plans') return plans(await offeredPlans());
      if (page === 'reference') return reference();
      if (page === 'events') return events();
      if (page === 'reference/{}') return operationPage(document, operations.get(name), apiUrl());
      if (page === 'events/{}') return eventPage(name);
      if (page === 'docs/{}') return guide(name);
      if (page === 'pages/{}') return teamPage(name);
      return null;
    },
    contents,
  };

  function contents(): string {
    const pages = [
      link('Introduction', 'index.md', about ?? 'What the API is, and a first call.'),
      link('Reference', 'reference.md', `${operations.size} operations.`),
      link('OpenAPI document', 'api/public/reference', 'The whole reference as data.'),
      link('Events', 'events.md', 'What webhooks can receive.'),
      link('Plans', 'plans.md', 'Limits of each plan.'),
    ];
    return text(`# ${line(siteTitle)}`, about === null ? null : `> ${about}`, `The API is at ${apiUrl()}.`, [
      '## Pages',
      pages.join('\n'),
      '## Guides',
      guideLinks(''),
    ]);
  }

  function guideLinks(up: string): string {
    const own = [...teamPages].map(([name, { title, description }]) =>
      link(title, `${up}pages/${name}.md`, description ?? title),
    );
    const all = [['getting-started', GETTING_STARTED] as const, ...guides];
    const ours = all.map(([name, { title, description }]) => link(title, `${up}docs/${name}.md`, description));
    return [...own, ...ours].join('\n');
  }

  function front(): string {
    const introductions = services.map(({ title, description }) =>
      text(`## ${line(title)}`, description === null ? null : description),
    );
    return text(
      `# ${line(siteTitle)}`,
      about,
      `The API is at ${apiUrl()}. See the [reference](reference.md), the [events](events.md) and the [plans](plans.md).`,
      introductions,
      '## A first call',
      code('sh', curl()),
      `To get a key, see [access](access)${contact === null ? '' : `, or contact ${contact}`}.`,
      '## Guides',
      guideLinks(''),
    );
  }

  function curl(): string {
    const { path, needsKey } = outline.firstCall;
    return `curl ${apiUrl()}${path}${needsKey ? ` \\\n  -H "X-API-Key: $API_KEY"` : ''}`;
  }

  function plans(offered: readonly Plan[]): string {
    const rows = offered.map(({ name, description, priceText, limits, concurrent, operations: included }) => [
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
    return text('# Plans', table(heads, rows), 'Days and months are calendar days and months in UTC.');
  }

  function reference(): string {
    const byTag = Map.groupBy(operations.values(), ({ tag }) => tag ?? 'Other');
    const groups = [...byTag].map(([tag, list]) => {
      const items = list.map((each) => {
        const address = `reference/${encodeURIComponent(each.id)}.md`;
        return link(nameOperation(each), address, `\`${each.method} ${each.path}\``);
      });
      return text(`## ${line(tag)}`, items.join('\n'));
    });
    return text('# Reference', `The API is at ${apiUrl()}. [OpenAPI document](api/public/reference)`, groups);
  }

  function events(): string {
    const items = types().map(({ name, summary }) => link(name, `events/${encodeURIComponent(name)}.md`, summary));
    return text('# Events', 'Types of events that webhooks can receive.', items.join('\n'), [
      'See [receiving events](docs/webhooks.md).',
    ]);
  }

  function eventPage(name: string): string | null {
    const type = types().find((each) => each.name === name);
    if (type === undefined) return null;
    const webhooks = isObject(document['webhooks']) ? document['webhooks'] : {};
    const item = dereferenced(document, webhooks[name]);
    const post = item === null ? null : dereferenced(document, item['post']);
    return text(
      `# ${line(name)}`,
      type.summary,
      post === null ? null : writeBody(document, post, { left: MAX_WRITTEN }),
      ['See [receiving events](../docs/webhooks.md).'],
    );
  }

  function guide(name: string): string | null {
    if (name === 'getting-started') return gettingStarted();
    const found = guides.get(name);
    if (found === undefined) return null;
    return text(`# ${found.title}`, withAddress(guideMarkdown(found), apiUrl()));
  }

  function teamPage(name: string): string | null {
    const own = teamPages.get(name);
    return own === undefined ? null : text(`# ${line(own.title)}`, own.markdown);
  }

  function gettingStarted(): string {
    return text(
      `# ${GETTING_STARTED.title}`,
      '1. Sign in to the portal and create a key; without an account, open its page “Get access” (`/access`) first. The key is shown only once. Store it where your application reads its secrets.',
      '2. Send it with each request:',
      code('sh', curl()),
      '3. Each response says how many calls are left. After a 429, wait for the time given in `Retry-After`. See [limits](limits.md).',
      '4. Each response has an `X-Request-Id`. Look a refused request up by it in the portal.',
    );
  }
}

function operationPage(document: JsonObject, operation: OutlinedOperation | undefined, apiUrl: string): string | null {
  if (operation === undefined) return null;
  const { method, path, description, value, item, needsKey } = operation;
  const listed = [item['parameters'], value['parameters']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const parameters = listed.slice(0, MAX_PARAMETERS).map((one) => dereferenced(document, one) ?? {});
  const responses = Object.entries(isObject(value['responses']) ? value['responses'] : {}).slice(0, MAX_RESPONSES);
  const room: Room = { left: MAX_WRITTEN };
  return text(
    `# ${line(nameOperation(operation))}`,
    code('http', `${method} ${apiUrl}${path}`),
    value['deprecated'] === true ? '**Deprecated.**' : null,
    needsKey ? null : 'Needs no key.',
    description,
    parameters.length === 0 ? null : text('## Parameters', parameterTable(parameters)),
    value['requestBody'] === undefined ? null : text('## Body', writeBody(document, value, room)),
    '## Responses',
    responses.map(([status, response]) => {
      const one = dereferenced(document, response);
      return text(`### ${line(status)}`, one === null ? null : readDescription(one), writeContent(document, one, room));
    }),
  );
}

function parameterTable(parameters: readonly JsonObject[]): string {
  const rows = parameters.map((one) => [
    textIn(one, 'name') ?? '',
    textIn(one, 'in') ?? '',
    one['required'] === true ? 'yes' : 'no',
    textIn(one, 'description') ?? '',
  ]);
  return table(['name', 'in', 'required', 'description'], rows);
}

function writeBody(document: JsonObject, operation: JsonObject, room: Room): string {
  const body = dereferenced(document, operation['requestBody']);
  return text(body === null ? null : readDescription(body), writeContent(document, body, room));
}

function readDescription(value: JsonObject): string | null {
  const description = textIn(value, 'description');
  return description === null ? null : cut(description, MAX_TEXT);
}

/** The number of characters that may still be written as JSON. */
interface Room {
  left: number;
}

/** Writes each media type with an example or, if it has none, with the schema from the document. */
function writeContent(document: JsonObject, holder: JsonObject | null, room: Room): string {
  const content = holder !== null && isObject(holder['content']) ? holder['content'] : {};
  const parts = Object.entries(content)
    .slice(0, MAX_MEDIA_TYPES)
    .map(([type, media]) => {
      const shown = isObject(media) && room.left > 0 ? findExample(document, media) : undefined;
      if (shown === undefined || isLongerThan(MAX_CODE, shown)) return text(`\`${line(type)}\``);
      const json = JSON.stringify(shown, null, 2);
      room.left -= json.length;
      return text(`\`${line(type)}\``, json.length > MAX_CODE ? null : code('json', json));
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
  const [listed] = Array.isArray(schema['examples']) ? (schema['examples'] as unknown[]) : [];
  return schema['example'] ?? listed ?? withItems(document, schema);
}

/** Adds the schema of a list's items, because the schema of a list says little without it. */
function withItems(document: JsonObject, schema: JsonObject): JsonObject {
  const items = dereferenced(document, schema['items']);
  return items === null ? schema : { ...schema, items };
}

type Block = string | null | readonly string[];

/** Joins blocks of Markdown with an empty line between them. */
function text(...blocks: readonly Block[]): string {
  return blocks
    .flat()
    .filter((block) => block !== null && block !== '')
    .join('\n\n');
}

/** Puts free text on one line. */
function line(words: string): string {
  return cut(words, MAX_LINE).replaceAll(/\s+/g, ' ').trim();
}

function cut(words: string, maxLength: number): string {
  return words.length > maxLength ? `${words.slice(0, maxLength - 1).toWellFormed()}…` : words;
}

function link(label: string, address: string, about: string): string {
  return `- [${line(label).replaceAll(/[[\]]/g, '\\$&')}](${address}): ${line(about)}`;
}

/** A code block with a fence that the text does not contain. */
function code(language: string, value: string): string {
  let longest = 2;
  for (const [run] of value.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${value}\n${fence}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => line(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
}
