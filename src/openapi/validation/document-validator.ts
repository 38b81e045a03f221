import { isObject, type JsonObject } from '../../base/json.ts';
import { pauseIfDue } from '../../base/pause-if-due.ts';
import type { Operation } from '../openapi.ts';
import { listAt, pathItemAt } from '../path-item.ts';
import { dereferenced } from '../pointer.ts';
import type { UpstreamDocument } from '../upstream-document.ts';
import { describeOperation, type DescribedOperation } from './described-operation.ts';
import { objectAt } from '../components.ts';
import { prepareOperation } from './operation-validator.ts';
import { isCheckedParameter, parameterFault, parameterSchema } from './parameters.ts';
import { type RootSchema, type SchemaFault, SchemaFaults, toPointer } from './schema-faults.ts';
import { SchemaSet } from './schema-set.ts';
import { isJsonType, mediaTypeEssence } from './media-types.ts';
import type { DocumentValidator, OperationValidator, UncheckedOperation, ValidatorOptions } from './validation.ts';

/**
 * Finds what cannot be checked in a document, and makes the checks of its operations. Each check is prepared by the
 * first request that needs it, which takes far less than a millisecond. So there is nothing to wait for, and a document
 * with thousands of operations takes memory only for those that are called.
 */
export async function createDocumentValidator(
  document: UpstreamDocument,
  options: ValidatorOptions = {},
): Promise<DocumentValidator> {
  const { isChecked = () => true } = options;
  const { value } = document;
  const set = new SchemaSet(value, typeof value['openapi'] === 'string' && value['openapi'].startsWith('3.0'));
  const operations = document.operations.filter(({ id }) => isChecked(id));
  const unchecked = (await hasFaults(document, operations, set)) ? await findUnchecked(document, operations, set) : [];
  const passing = new Set(unchecked.map(({ operationId }) => operationId));
  const byId = new Map(document.operations.map((operation) => [operation.id, operation]));
  const prepared = new Map<string, OperationValidator>();
  return {
    forOperation(operationId) {
      const known = prepared.get(operationId);
      if (known !== undefined) return known;
      const operation = byId.get(operationId);
      if (operation === undefined) throw new RangeError(`the document has no operation ${operationId}`);
      const validator =
        passing.has(operationId) || !isChecked(operationId)
          ? CHECKS_NOTHING
          : prepareOperation(describeOperation(document, operation), set);
      prepared.set(operationId, validator);
      return validator;
    },
    unchecked,
  };
}

const CHECKS_NOTHING: OperationValidator = { checkHead: () => [], bodyCheck: () => null };

function listSchemas({ parameters, body }: DescribedOperation): RootSchema[] {
  const ofParameters = parameters.flatMap(({ value, locate }): RootSchema[] => {
    const found = parameterSchema(value);
    return found === null ? [] : [{ schema: found.schema, locate: () => locate() + toPointer(found.steps) }];
  });
  if (body === null) return ofParameters;
  const ofBody = listJsonSchemas(body.value).map(({ type, schema }) => ({
    schema,
    locate: () => body.locate() + toPointer(['content', type, 'schema']),
  }));
  return [...ofParameters, ...ofBody];
}

/**
 * Whether an operation cannot be checked. This takes far less time than finding out which, because it needs no places,
 * and looks only once at a parameter or body that many operations refer to. It also looks at shared parameters that an
 * operation replaces, so it can be mistaken about those.
 */
async function hasFaults(
  { value, source }: UpstreamDocument,
  operations: readonly Operation[],
  set: SchemaSet,
): Promise<boolean> {
  const { prefix = '' } = source.options;
  const roots: unknown[] = [];
  const seen = new Set<unknown>();
  let count = 0;
  for (const { path, method } of operations) {
    if (++count % OPERATIONS_PER_PAUSE === 0) await pauseIfDue();
    const item = pathItemAt(value, ['paths', path.slice(prefix.length)]) ?? {};
    const operation = objectAt(item, method.toLowerCase());
    for (const list of [listAt(operation, 'parameters'), listAt(item, 'parameters')]) {
      for (const each of list) {
        const parameter = dereferenced(value, each);
        if (parameter === null || seen.has(parameter) || !isCheckedParameter(parameter)) continue;
        seen.add(parameter);
        if (parameterFault(parameter) !== null) return true;
        const found = parameterSchema(parameter);
        if (found !== null) roots.push(found.schema);
      }
    }
    const body = dereferenced(value, operation['requestBody']);
    if (body === null || seen.has(body)) continue;
    seen.add(body);
    for (const { schema } of listJsonSchemas(body)) roots.push(schema);
  }
  return new SchemaFaults(set).hasAny(roots);
}

const OPERATIONS_PER_PAUSE = 64;

/** The schemas of a body, by those media types and ranges that can be JSON. */
function listJsonSchemas(body: JsonObject): { readonly type: string; readonly schema: unknown }[] {
  return Object.entries(objectAt(body, 'content')).flatMap(([type, media]) => {
    const essence = mediaTypeEssence(type);
    const mayBeJson = isJsonType(essence) || essence.endsWith('*');
    return mayBeJson && isObject(media) && media['schema'] !== undefined ? [{ type, schema: media['schema'] }] : [];
  });
}

async function findUnchecked(
  document: UpstreamDocument,
  operations: readonly Operation[],
  set: SchemaSet,
): Promise<UncheckedOperation[]> {
  const faults = new SchemaFaults(set);
  const described = new Map<string, DescribedOperation>();
  for (const operation of operations) {
    described.set(operation.id, describeOperation(document, operation));
    await pauseIfDue();
  }
  const roots = new Map<string, RootSchema[]>();
  for (const [id, operation] of described) {
    roots.set(id, listSchemas(operation));
    await pauseIfDue();
  }
  await faults.read([...roots.values()].flat());
  const unchecked: UncheckedOperation[] = [];
  for (const [operationId, { parameters }] of described) {
    const fault = findParameterFault(parameters) ?? findSchemaFault(roots.get(operationId) ?? [], faults);
    if (fault !== null) unchecked.push({ operationId, ...fault });
    await pauseIfDue();
  }
  return unchecked;
}

function findParameterFault(parameters: DescribedOperation['parameters']): SchemaFault | null {
  for (const { value, locate } of parameters) {
    const reason = parameterFault(value);
    if (reason !== null) return { pointer: locate(), reason };
  }
  return null;
}

function findSchemaFault(roots: readonly RootSchema[], faults: SchemaFaults): SchemaFault | null {
  for (const { schema } of roots) {
    const fault = faults.faultAt(schema);
    if (fault !== null) return fault;
  }
  return null;
}
