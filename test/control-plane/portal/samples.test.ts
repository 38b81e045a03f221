/**
 * A consumer copies a code sample from the reference and runs it. The samples are generated from the gateway's document,
 * as on the portal's pages, and call that gateway.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildCall, valueName } from '../../../web/portal/reference/call/call.ts';
import { findExample, createFirstValues } from '../../../web/portal/reference/call/first-values.ts';
import type { JsonObject } from '../../../web/portal/reference/model/document.ts';
import { operationsOf, readReference } from '../../../web/portal/reference/model/reference.ts';
import { type OperationPart, readOperationPart } from '../../../web/portal/reference/model/operation-part.ts';
import type { Language } from '../../../web/portal/reference/samples/languages.ts';
import { SAMPLES } from '../../support/samples.ts';
import { startPortal, type Portal } from '../../support/gateway/portal.ts';
import { describeEachLanguage } from '../../support/run-sample.ts';

let portal: Portal;
let document: JsonObject;
let key: { readonly id: string; readonly key: string };
let apiUrl = '';

beforeAll(async () => {
  portal = await startPortal();
  const browser = await portal.signInAs(await portal.account('acme'));
  key = (await browser.post('/api/keys', { name: 'Samples' })).body;
  document = (await browser.get('/api/reference')).body;
  ({ apiUrl } = (await browser.get('/api/site')).body);
});
afterAll(() => portal.stop());

function part(id: string): OperationPart {
  const findSample = operationsOf(readReference(document)).find((each) => each.id === id);
  if (findSample === undefined) throw new Error(`the reference has no operation ${id}`);
  return readOperationPart(document, findSample);
}

/** Creates the sample on the page of an operation, with these values filled into the form. */
function createSample(language: Language, id: string, filled: Readonly<Record<string, string>> = {}): string {
  const { operation: shown, document: api } = part(id);
  const first = createFirstValues(api, shown);
  const call = buildCall(shown, { ...first, parameters: { ...first.parameters, ...filled } });
  return SAMPLES[language]({ ...call, apiUrl, needsKey: shown.needsKey });
}

/** Finds the values that a person has to fill in, because the form leaves ids empty for calls that change something. */
function pathExamples({ document: api, operation: { parameters } }: OperationPart): Record<string, string> {
  const inPath = parameters.filter((each) => each.in === 'path');
  return Object.fromEntries(inPath.map((each) => [valueName(each), findExample(api, each) ?? 'an-id']));
}

const lastCall = () => portal.gateway.responses().at(-1);

describeEachLanguage((language, run) => {
  test('the code sample of a list works with a key', async () => {
    const output = await run(createSample(language, 'listPets', { 'query limit': '2' }), { API_KEY: key.key });
    expect(JSON.parse(output.slice(output.indexOf('[')))).toHaveLength(2);
    expect(lastCall()).toMatchObject({ operation: 'listPets', keyId: key.id, status: 200 });
  });

  test('the code sample with the example body creates an object', async () => {
    const output = await run(createSample(language, 'createPet'), { API_KEY: key.key });
    const { document: api, operation } = part('createPet');
    const { name } = JSON.parse(createFirstValues(api, operation).body) as { name: string };
    expect(output).toContain(`"name":${JSON.stringify(name)}`);
    expect(lastCall()).toMatchObject({ operation: 'createPet', keyId: key.id, status: 201 });
  });

  test('the code sample prints the body of an error response', async () => {
    const output = await run(createSample(language, 'getPet', { 'path petId': '987654' }), { API_KEY: key.key });
    expect(output).toContain('"code":"pet_not_found"');
  });
});

test('the code sample of every operation calls that operation with a valid request', async () => {
  const operations = operationsOf(readReference(document)).map((listed) => readOperationPart(document, listed));
  expect(operations.length).toBeGreaterThan(20);
  const { key: secret } = await portal.admin('POST', '/v1/keys', { name: 'Wide', owner: 'wide', plan: 'pro' });
  for (const each of operations) {
    const shown = each.operation;
    const first = createFirstValues(each.document, shown);
    const { method, path, headers, body } = buildCall(shown, {
      ...first,
      parameters: { ...pathExamples(each), ...first.parameters },
    });
    const text = body?.kind === 'text' ? body.text : null;
    const sent = { key: secret, method, headers: headers as [string, string][], body: text };
    const { status } = await portal.gateway.call(path, sent);
    expect([shown.id, status]).not.toEqual([shown.id, 400]);
    if (!path.startsWith('/_gateway/')) expect(lastCall()).toMatchObject({ operation: shown.id });
  }
});
