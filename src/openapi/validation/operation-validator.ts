import { isObject } from '../../base/json.ts';
import type { DescribedOperation } from './described-operation.ts';
import { objectAt } from '../components.ts';
import { findMediaType, isJsonType, mediaTypeEssence } from './media-types.ts';
import { listValues } from './messages.ts';
import { HeadReader, prepareParameter } from './parameters.ts';
import { JsonFault, type JsonValue, readJson } from './read-json.ts';
import { Run, TooComplex } from './run.ts';
import type { SchemaNode, SchemaSet } from './schema-set.ts';
import type { BodyCheck, OperationValidator, Violation } from './validation.ts';

const NONE: readonly Violation[] = [];

/** Prepares the checks of requests to an operation. The operation must have no faults. */
export function prepareOperation({ parameters, body }: DescribedOperation, set: SchemaSet): OperationValidator {
  const checks = parameters.map(({ value }) => prepareParameter(value, set));
  const content = Object.entries(objectAt(body?.value, 'content'));
  const ranges = content.map(([type]) => mediaTypeEssence(type));
  const isRequired = body?.value['required'] === true;
  const bodyChecks = content.map(([, media]) => {
    const schema = isObject(media) ? media['schema'] : undefined;
    const isAnything =
      schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).length === 0);
    return isAnything ? null : createBodyCheck(set.node(schema), isRequired);
  });
  return {
    checkHead(head) {
      const reader = new HeadReader(head);
      let violations: Violation[] | null = null;
      for (const check of checks) {
        const found = check(reader);
        if (found.length > 0) (violations ??= []).push(...found);
      }
      const ofBody = checkPresence(reader, body !== null, isRequired, ranges);
      if (ofBody !== null) (violations ??= []).push(ofBody);
      return violations ?? NONE;
    },
    bodyCheck(contentType) {
      if (body === null) return null;
      const essence = mediaTypeEssence(contentType);
      return isJsonType(essence) ? (bodyChecks[findMediaType(ranges, essence)] ?? null) : null;
    },
  };
}

function checkPresence(
  reader: HeadReader,
  hasDescription: boolean,
  isRequired: boolean,
  ranges: readonly string[],
): Violation | null {
  if (!hasDescription) return null;
  if (!reader.head.hasBody) return isRequired ? MISSING_BODY : null;
  if (ranges.length === 0) return null;
  const path = '/header/Content-Type';
  const contentTypes = reader.headerValues('content-type');
  const isKnown = contentTypes.length === 1 && findMediaType(ranges, mediaTypeEssence(contentTypes[0] ?? '')) !== -1;
  if (isKnown) return null;
  const message =
    contentTypes.length > 1
      ? 'must be given only once'
      : `must be ${ranges.length === 1 ? '' : 'one of '}${listValues(ranges)}`;
  return { path, rulePath: path, rule: 'content_type', message };
}

const MISSING_BODY: Violation = { path: '', rulePath: '', rule: 'required', message: 'is required' };

function createBodyCheck(node: SchemaNode, isRequired: boolean): BodyCheck {
  return (bytes) => {
    if (bytes.length === 0) return isRequired ? [MISSING_BODY] : NONE;
    try {
      return checkValue(readJson(bytes), node);
    } catch (error) {
      if (error instanceof JsonFault) return error.toBodyFault();
      // The stack ends before the limit on nesting only if little of it is left.
      if (error instanceof TooComplex) return { fault: 'too_complex', message: error.message };
      throw error;
    }
  };
}

/** @throws TooComplex */
export function checkValue(value: JsonValue, node: SchemaNode): readonly Violation[] {
  const run = new Run();
  run.location = node;
  node.check(value, run, null);
  return run.violations;
}
