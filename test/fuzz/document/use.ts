import { expectThat } from '../finding.ts';
import { call, callAdmin, type Called } from '../subject/admin-call.ts';
import type { Subject } from '../subject/subject.ts';
import type { CheckerProcess } from './checker-process.ts';
import { expectNoTrace } from './verdicts.ts';

export const PUBLISHER_TOKEN = 'fuzz-publisher-token-0123456789-0123456789';
/** The data of events, which a schema may reject but which must not cause a failure. */
const EVENT_DATA = ['{}', '{"constructor":{"a":[null,1e400]},"__proto__":{"toString":1},"text":"a","kind":"box"}'];
/** Bodies that a schema may refuse, and that must not make its check fail. */
const BODIES = [
  '{"constructor":[null,1e400],"__proto__":{"toString":1},"id":1,"kind":"box","parts":[{}]}',
  '[[]]',
  '{',
];
const CALLED = 2;

interface Served {
  readonly upstream: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Checks that the other upstream still responds.
 *
 * @throws Finding if it does not
 */
export async function expectGoodResponse({ publicPort, keys: [key] }: Subject): Promise<void> {
  const { status, text } = await call(publicPort, 'GET', '/good/echo/hello', { 'x-api-key': key!.secret });
  expectThat(status === 200 && text.includes('"hello"'), 'a good request is not answered', () => `${status} ${text}`);
}

/** Calls everything that operators and the console read. */
export async function useConfiguration(subject: Subject): Promise<void> {
  for (const path of ['/v1/system/configuration', '/v1/operations', '/v1/event-types', '/v1/openapi.json']) {
    parsed(path, await callAdmin(subject.adminPort, 'GET', path));
  }
}

/**
 * Reads the API's document and calls the API, like consumers and the portal, and publishes events, like the service.
 */
export async function useApi(subject: Subject, checker: CheckerProcess): Promise<void> {
  const { publicPort, adminPort } = subject;
  const { document, headers } = await readDocument(subject);
  parsed('the document', document);
  expectNoTrace('show', await checker.do({ do: 'show', document: document.text }));
  const listed = parsed('operations', await callAdmin(adminPort, 'GET', '/v1/operations?limit=100'));
  const served = (listed['items'] as Served[]).filter(({ upstream }) => upstream === 'fuzzed').slice(0, CALLED);
  for (const { method, path } of served) {
    const target = encodeURI(path.replaceAll(/\{[^}]*\}/g, '1')).replaceAll(/[?#[\]]/g, '_');
    for (const body of method === 'GET' ? [''] : ['', ...BODIES]) {
      const type = body === '' ? {} : { 'content-type': 'application/json' };
      const { status, text } = await call(publicPort, method, target, { ...headers, ...type }, body);
      expectThat(status !== 500, 'a call fails', () => `${method} ${target}: ${status} ${text}`);
    }
  }
  const templates = (listed['items'] as Served[]).filter(({ method }) => method === 'GET').map(({ path }) => path);
  await expectRouted(templates, async (path) => (await call(publicPort, 'GET', path, headers)).text);
  await publish(adminPort);
}

/** Reads the document. A key may make only 60 such calls a minute, so another key is created if they are used up. */
async function readDocument(subject: Subject) {
  const read = async () => {
    const headers = { 'x-api-key': subject.keys[0]!.secret };
    return { document: await call(subject.publicPort, 'GET', '/_gateway/openapi.json', headers), headers };
  };
  const first = await read();
  if (first.document.status !== 429) return first;
  subject.keys[0] = await subject.createKey('roomy');
  return read();
}

const PLAIN_TEMPLATE = /^[\w/{}-]+$/;
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;
/** Matches a parameter that is only a part of a segment. */
const PART = /[^/]\{|\}[^/]/;
const MAX_ROUTED = 4;

/**
 * Checks that paths which a template describes are found, if no parameter is empty.
 *
 * @throws Finding if one is not
 */
async function expectRouted(templates: readonly string[], get: (path: string) => Promise<string>): Promise<void> {
  const plain = templates.filter((template) => PLAIN_TEMPLATE.test(template));
  const matchers = plain.map((template) => new RegExp(`^${template.split(/\{[^{}]*\}/).join('[^/]+')}$`));
  for (const template of plain.filter((each) => PART.test(each)).slice(0, MAX_ROUTED)) {
    for (const value of ['', '1']) {
      const path = template.replaceAll(/\{[^{}]*\}/g, value);
      if (!PLAIN_PATH.test(path) || !matchers.some((matcher) => matcher.test(path))) continue;
      const text = await get(path);
      expectThat(!text.includes('"route_not_found"'), 'a documented path is not found', () => `${path}: ${text}`);
    }
  }
}

async function publish(port: number): Promise<void> {
  const { items } = parsed('event types', await callAdmin(port, 'GET', '/v1/event-types')) as {
    items: { name: string; source: string }[];
  };
  const headers = { authorization: `Bearer ${PUBLISHER_TOKEN}`, 'content-type': 'application/json' };
  for (const { name } of items.filter(({ source }) => source === 'fuzzed').slice(0, CALLED)) {
    for (const data of EVENT_DATA) {
      const body = `{"type":${JSON.stringify(name)},"data":${data}}`;
      const { status, text } = await call(port, 'POST', '/v1/events', headers, body);
      const isExpectedStatus = [200, 202, 400, 422].includes(status);
      expectThat(isExpectedStatus, `publishing an event is answered with ${status}`, () => `${name} ${data}: ${text}`);
    }
  }
}

function parsed(what: string, { status, text }: Called): Record<string, unknown> {
  expectThat(status === 200, `${what} is answered with ${status}`, () => text.slice(0, 2000));
  return JSON.parse(text) as Record<string, unknown>;
}
