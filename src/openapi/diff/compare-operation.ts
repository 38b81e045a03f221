import { isObject, type JsonObject } from '../../base/json.ts';
import { objectAt } from '../components.ts';
import { listAt } from '../path-item.ts';
import { listParameters } from '../path-template.ts';
import { parseSteps, partAt } from '../pointer.ts';
import { toPointer } from '../validation/schema-faults.ts';
import type { OperationChanges } from './change-list.ts';
import type { SchemaComparison } from './compare-schemas.ts';
import { compareSecurity } from './compare-security.ts';
import { nameValue } from './names.ts';
import type { OperationVersion } from './operation-version.ts';
import type { Direction } from './pair.ts';

interface Both {
  readonly was: OperationVersion;
  readonly is: OperationVersion;
}

/** Compares an operation with the same operation of the later document. */
export function compareOperation(changes: OperationChanges, { was, is }: Both, schemas: SchemaComparison): void {
  compareLifecycle(changes, { was, is });
  compareSecurity(changes, was, is);
  compareParameters(changes, { was, is }, schemas);
  compareBody(changes, { was, is }, schemas);
  compareResponses(changes, { was, is }, schemas);
}

function compareLifecycle(changes: OperationChanges, { was, is }: Both): void {
  const [before, after] = [was.operation?.lifecycle, is.operation?.lifecycle];
  if (before === undefined || after === undefined) return;
  const isRemovedAt = (at: number | null) => (at === null ? '' : `, and will be removed on ${formatDate(at)}`);
  if (!before.deprecated && after.deprecated) {
    const message = `the operation is deprecated now${isRemovedAt(after.sunsetAt)}`;
    changes.add('operation_deprecated', 'compatible', is.pointer, message);
  } else if (before.deprecated && !after.deprecated) {
    changes.add('operation_reactivated', 'compatible', is.pointer, 'the operation is no longer deprecated');
  } else if (before.sunsetAt !== after.sunsetAt) {
    const isEarlier = after.sunsetAt !== null && (before.sunsetAt === null || after.sunsetAt < before.sunsetAt);
    const date =
      after.sunsetAt === null ? 'has no date of removal now' : `will be removed on ${formatDate(after.sunsetAt)}`;
    const earlier = before.sunsetAt === null ? 'no date' : formatDate(before.sunsetAt);
    const message = `the operation ${date} (before: ${earlier})`;
    changes.add('sunset_changed', isEarlier ? 'warning' : 'compatible', is.pointer, message);
  }
  if (before.stability !== after.stability) {
    const message = `the operation is ${after.stability} now (before: ${before.stability})`;
    changes.add('stability_changed', before.stability === 'stable' ? 'warning' : 'compatible', is.pointer, message);
  }
}

function formatDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

interface Located {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** Follows a local reference of a part that is not a schema. */
function locate(document: JsonObject, value: unknown, pointer: string): Located | null {
  if (!isObject(value)) return null;
  const { $ref } = value;
  if (typeof $ref !== 'string') return { value, pointer };
  const part = $ref.startsWith('#/') ? partAt(document, parseSteps($ref)) : null;
  return part === null ? null : { value: part.value, pointer: toPointer(part.path) };
}

interface Parameter extends Located {
  readonly name: string;
  readonly place: string;
}

/** OpenAPI ignores the definitions of these headers. */
const IGNORED = new Set(['accept', 'content-type', 'authorization']);

/** The parameters by what callers call them: the position of a path parameter, the place and name of any other. */
function parametersIn({ document, item, value, template, pointer }: OperationVersion): Map<string, Parameter> {
  const names = listParameters(template);
  const parameters = new Map<string, Parameter>();
  const add = (list: readonly unknown[], at: string) => {
    for (const [index, one] of list.entries()) {
      const located = locate(document, one, `${at}/parameters/${index}`);
      const { name, in: place } = located?.value ?? {};
      if (located === null || typeof name !== 'string' || typeof place !== 'string') continue;
      const isHeader = place === 'header';
      if (isHeader && IGNORED.has(name.toLowerCase())) continue;
      const key = place === 'path' ? `path ${names.indexOf(name)}` : `${place} ${isHeader ? name.toLowerCase() : name}`;
      parameters.set(key, { ...located, name, place });
    }
  };
  add(listAt(item, 'parameters'), pointer.slice(0, pointer.lastIndexOf('/')));
  add(listAt(value, 'parameters'), pointer);
  return parameters;
}

function compareParameters(changes: OperationChanges, { was, is }: Both, schemas: SchemaComparison): void {
  const [before, after] = [parametersIn(was), parametersIn(is)];
  for (const [key, old] of before) {
    const now = after.get(key);
    if (now === undefined) {
      // Every template has its parameters. Only their description is missing.
      const severity = old.place === 'path' ? 'compatible' : 'warning';
      changes.add('parameter_removed', severity, old.pointer, `${nameParameter(old)} was removed`);
      continue;
    }
    const name = nameParameter(now);
    const [wasRequired, isRequired] = [isRequiredParameter(old), isRequiredParameter(now)];
    if (!wasRequired && isRequired)
      changes.add('parameter_required', 'breaking', now.pointer, `${name} is required now`);
    if (wasRequired && !isRequired) {
      changes.add('parameter_optional', 'compatible', now.pointer, `${name} is no longer required`);
    }
    const [schemaBefore, schemaAfter] = [schemaIn(old), schemaIn(now)];
    const isOneText = schemas.isOneText(schemaBefore, schemaAfter);
    if (!isOneText && styleIn(old) !== styleIn(now)) {
      const message = `${name} is written in another way now: ${styleIn(now)} (before: ${styleIn(old)})`;
      changes.add('parameter_style_changed', 'breaking', now.pointer, message);
    }
    changes.addSchema(schemas.compare(schemaBefore, schemaAfter, 'parameter'), name);
  }
  for (const [key, now] of after) {
    if (before.has(key) || now.place === 'path') continue;
    const isRequired = isRequiredParameter(now);
    const message = `${nameParameter(now)} is new${isRequired ? ' and required' : ''}`;
    changes.add('parameter_added', isRequired ? 'breaking' : 'compatible', now.pointer, message);
  }
}

function nameParameter({ name, place }: Parameter): string {
  return `the ${nameValue(place)} parameter ${nameValue(name)}`;
}

function isRequiredParameter({ value, place }: Parameter): boolean {
  return value['required'] === true || place === 'path';
}

const DEFAULT_STYLES: ReadonlyMap<string, string> = new Map([
  ['query', 'form'],
  ['cookie', 'form'],
  ['path', 'simple'],
  ['header', 'simple'],
]);

function styleIn({ value, place }: Parameter): string {
  const [type] = Object.keys(objectAt(value, 'content'));
  if (type !== undefined) return nameValue(type);
  const { style = DEFAULT_STYLES.get(place) } = value;
  const { explode = style === 'form' } = value;
  return `style ${nameValue(style)} ${explode === true ? 'with' : 'without'} explode`;
}

interface LocatedSchema {
  readonly schema: unknown;
  readonly pointer: string;
}

/** The schema of a parameter or header. */
function schemaIn({ value, pointer }: Located): LocatedSchema {
  const [first] = Object.entries(objectAt(value, 'content'));
  if (first === undefined) return { schema: value['schema'] ?? true, pointer: `${pointer}/schema` };
  const [type, media] = first;
  const schema = isObject(media) ? (media['schema'] ?? true) : true;
  return { schema, pointer: pointer + toPointer(['content', type, 'schema']) };
}

function bodyIn({ document, value, pointer }: OperationVersion): Located | null {
  return locate(document, value['requestBody'], `${pointer}/requestBody`);
}

function compareBody(changes: OperationChanges, { was, is }: Both, schemas: SchemaComparison): void {
  const isWebhook = was.operation === null;
  const [before, after] = [bodyIn(was), bodyIn(is)];
  const place = isWebhook ? 'the body' : 'the request body';
  if (before === null || after === null) {
    if (before !== null) {
      changes.add('body_removed', 'breaking', before.pointer, `${place} was removed`);
    } else if (after !== null) {
      const isRequired = after.value['required'] === true;
      const severity = isRequired && !isWebhook ? 'breaking' : 'compatible';
      changes.add('body_added', severity, after.pointer, `${place} is new${isRequired ? ' and required' : ''}`);
    }
    return;
  }
  const [wasRequired, isRequired] = [before, after].map(({ value }) => value['required'] === true);
  if (!isWebhook && !wasRequired && isRequired) {
    changes.add('body_required', 'breaking', after.pointer, `${place} is required now`);
  }
  if (!isWebhook && wasRequired && !isRequired) {
    changes.add('body_optional', 'compatible', after.pointer, `${place} is no longer required`);
  }
  compareContent(changes, { before, after, place, direction: isWebhook ? 'response' : 'request' }, schemas);
}

interface ContentComparison {
  readonly before: Located;
  readonly after: Located;
  readonly place: string;
  readonly direction: Direction;
}

function compareContent(
  changes: OperationChanges,
  { before, after, place, direction }: ContentComparison,
  schemas: SchemaComparison,
): void {
  const [contentBefore, contentAfter] = [mediaTypesIn(before), mediaTypesIn(after)];
  const seen = new Set<unknown>();
  for (const [type, old] of contentBefore) {
    const now = contentAfter.get(type) ?? findRange(contentAfter, type);
    if (now === undefined) {
      const message = `${place} can no longer be ${nameValue(type)}`;
      changes.add('media_type_removed', 'breaking', old.pointer, message);
      continue;
    }
    const pair = schemas.compare(old, now, direction);
    if (seen.has(pair)) continue;
    seen.add(pair);
    changes.addSchema(pair, contentBefore.size === 1 ? place : `${place} (${nameValue(type)})`);
  }
  for (const [type, now] of contentAfter) {
    if (contentBefore.has(type) || contentBefore.size === 0) continue;
    changes.add('media_type_added', 'compatible', now.pointer, `${place} can also be ${nameValue(type)} now`);
  }
}

/** The schemas of a content by media type. Parameters such as the charset do not tell types apart. */
function mediaTypesIn({ value, pointer }: Located): Map<string, LocatedSchema> {
  const types = new Map<string, LocatedSchema>();
  for (const [type, media] of Object.entries(objectAt(value, 'content'))) {
    const schema = isObject(media) ? (media['schema'] ?? true) : true;
    const key = type.toLowerCase().replaceAll(' ', '');
    types.set(key, { schema, pointer: pointer + toPointer(['content', type, 'schema']) });
  }
  return types;
}

/** Finds a media type or range that includes a type. */
function findRange(content: ReadonlyMap<string, LocatedSchema>, type: string): LocatedSchema | undefined {
  const [essence = ''] = type.split(';', 1);
  const [kind = ''] = essence.split('/', 1);
  return content.get(essence) ?? content.get(`${kind}/*`) ?? content.get('*/*');
}

function responsesIn({ document, value, pointer }: OperationVersion): Map<string, Located> {
  const responses = new Map<string, Located>();
  for (const [status, one] of Object.entries(objectAt(value, 'responses'))) {
    const located = status.startsWith('x-') ? null : locate(document, one, pointer + toPointer(['responses', status]));
    if (located !== null) responses.set(status.toUpperCase(), located);
  }
  return responses;
}

function compareResponses(changes: OperationChanges, { was, is }: Both, schemas: SchemaComparison): void {
  // Consumers decide themselves how they respond to a webhook.
  if (was.operation === null) return;
  const [before, after] = [responsesIn(was), responsesIn(is)];
  for (const [status, old] of before) {
    const place = status === 'DEFAULT' ? 'the default response' : `the response ${nameValue(status)}`;
    const now = after.get(status) ?? after.get(`${status.slice(0, 1)}XX`);
    if (now === undefined) {
      const severity = status.startsWith('2') ? 'breaking' : 'compatible';
      changes.add('response_removed', severity, old.pointer, `${place} was removed`);
      continue;
    }
    compareHeaders(changes, { was, is }, { before: old, after: now, place, schemas });
    compareContent(changes, { before: old, after: now, place, direction: 'response' }, schemas);
  }
  for (const [status, now] of after) {
    if (before.has(status)) continue;
    changes.add('response_added', 'compatible', now.pointer, `the response ${nameValue(status)} is new`);
  }
}

interface HeaderComparison {
  readonly before: Located;
  readonly after: Located;
  readonly place: string;
  readonly schemas: SchemaComparison;
}

function compareHeaders(
  changes: OperationChanges,
  { was, is }: Both,
  { before, after, place, schemas }: HeaderComparison,
): void {
  const [headersBefore, headersAfter] = [headersIn(was.document, before), headersIn(is.document, after)];
  for (const [name, old] of headersBefore) {
    const now = headersAfter.get(name);
    const subject = `the header ${nameValue(name)} of ${place}`;
    const wasRequired = old.value['required'] === true;
    if (now === undefined) {
      changes.add('header_removed', wasRequired ? 'breaking' : 'warning', old.pointer, `${subject} was removed`);
      continue;
    }
    const isRequired = now.value['required'] === true;
    if (wasRequired && !isRequired) {
      changes.add('header_optional', 'breaking', now.pointer, `${subject} can be missing now`);
    }
    if (!wasRequired && isRequired) {
      changes.add('header_required', 'compatible', now.pointer, `${subject} is always sent now`);
    }
    changes.addSchema(schemas.compare(schemaIn(old), schemaIn(now), 'header'), subject);
  }
  for (const [name, now] of headersAfter) {
    if (headersBefore.has(name)) continue;
    changes.add('header_added', 'compatible', now.pointer, `the header ${nameValue(name)} of ${place} is new`);
  }
}

function headersIn(document: JsonObject, { value, pointer }: Located): Map<string, Located> {
  const headers = new Map<string, Located>();
  for (const [name, one] of Object.entries(objectAt(value, 'headers'))) {
    const located = locate(document, one, pointer + toPointer(['headers', name]));
    if (located !== null && name.toLowerCase() !== 'content-type') headers.set(name.toLowerCase(), located);
  }
  return headers;
}
