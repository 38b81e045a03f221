import { isObject, type JsonObject } from '../../../src/base/json.ts';
import { Faults } from '../../../src/base/configuration-faults.ts';
import { joinedParameters, listAt, pathItemAt } from '../../../src/openapi/path-item.ts';
import { dereferenced } from '../../../src/openapi/pointer.ts';
import { readUpstreamDocument } from '../../../src/openapi/upstream-document.ts';
import { createDocumentValidator } from '../../../src/openapi/validation/document-validator.ts';
import type { Violation } from '../../../src/openapi/validation/validation.ts';

interface ExampleReport {
  readonly operations: number;
  readonly unchecked: readonly string[];
  readonly examples: number;
  /** The place of each invalid example, with its first violation. */
  readonly invalid: readonly string[];
}

/** Checks the examples that a document has for the requests of its operations. */
export async function checkRequestExamples(file: string): Promise<ExampleReport> {
  const document = readUpstreamDocument(file, {}, new Faults());
  const validator = await createDocumentValidator(document);
  const invalid: string[] = [];
  let examples = 0;
  for (const { id, path, method } of document.operations) {
    const item = pathItemAt(document.value, ['paths', path]) ?? {};
    const operation = (item[method.toLowerCase()] ?? {}) as JsonObject;
    const check = validator.forOperation(id);
    const report = (place: string, violations: readonly Violation[]) => {
      examples++;
      const [first] = violations;
      if (first !== undefined) invalid.push(`${id} ${place}: ${first.path} ${first.rule} ${first.message}`);
    };
    const body = dereferenced(document.value, operation['requestBody']);
    for (const [type, media] of Object.entries(Object(body?.['content']) as JsonObject)) {
      const checkBody = check.bodyCheck(type);
      for (const value of listExamples(document.value, media)) {
        if (checkBody === null) continue;
        const text = toJsonText(value);
        if (text === null) continue;
        const result = checkBody(Buffer.from(text));
        report(
          'body',
          'fault' in result ? [{ path: '', rulePath: '', rule: result.fault, message: result.message }] : result,
        );
      }
    }
    const parameters = joinedParameters(document.value, listAt(operation, 'parameters'), listAt(item, 'parameters'));
    for (const each of parameters) {
      const parameter = dereferenced(document.value, each) ?? {};
      const { name, in: place } = parameter;
      if (typeof name !== 'string' || isObject(parameter['content'])) continue;
      for (const value of listExamples(document.value, parameter)) {
        const text = toText(value);
        if (text === null || (parameter['style'] !== undefined && typeof value === 'object')) continue;
        const encoded = encodeURIComponent(text).replaceAll('%2C', ',');
        const query = place === 'query' ? `${encodeURIComponent(name)}=${encoded}` : '';
        const violations = check.checkHead({
          rawHeaders: place === 'header' ? [name, text] : place === 'cookie' ? ['Cookie', `${name}=${encoded}`] : [],
          query,
          pathParameters: new Map(place === 'path' ? [[name, encoded]] : []),
          hasBody: false,
        });
        const base = `/${String(place)}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        report(
          base,
          violations.filter(({ path: at }) => at === base || at.startsWith(`${base}/`)),
        );
      }
    }
  }
  const unchecked = validator.unchecked.map(
    ({ operationId, pointer, reason }) => `${operationId}: ${pointer} ${reason}`,
  );
  return { operations: document.operations.length, unchecked, examples, invalid };
}

/** Lists the examples of a media type or parameter, and those of its schema. */
function listExamples(document: JsonObject, described: unknown): unknown[] {
  if (!isObject(described)) return [];
  const { example, examples, schema } = described;
  const named = Object.values(Object(examples) as JsonObject).map((each) => dereferenced(document, each)?.['value']);
  const ofSchema = dereferenced(document, schema) ?? {};
  const found = [example, ...named].filter((value) => value !== undefined);
  return found.length > 0
    ? found
    : [ofSchema['example'], ...listAt(ofSchema, 'examples')].filter((one) => one !== undefined);
}

/**
 * Converts an example to JSON. Elastic's examples are texts of bodies. Null for those that are not JSON, because they
 * have comments or several lines of JSON.
 */
function toJsonText(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return JSON.stringify(value);
  try {
    JSON.parse(value);
    return value;
  } catch {
    return null;
  }
}

/** Formats a value as most styles write it. Null if styles differ. */
function toText(value: unknown): string | null {
  if (Array.isArray(value))
    return value.length > 0 && value.every((each) => typeof each !== 'object') ? value.join(',') : null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
