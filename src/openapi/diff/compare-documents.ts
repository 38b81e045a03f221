import type { JsonObject } from '../../base/json.ts';
import { objectAt } from '../components.ts';
import { METHODS, type Operation } from '../openapi.ts';
import { pathItemAt } from '../path-item.ts';
import { withoutParameterNames } from '../path-template.ts';
import { type UpstreamDocument, webhooksField } from '../upstream-document.ts';
import { toPointer } from '../validation/schema-faults.ts';
import type { ChangedOperation, Comparison } from './change.ts';
import { ChangeList } from './change-list.ts';
import { compareOperation } from './compare-operation.ts';
import { SchemaComparison } from './compare-schemas.ts';
import { DocumentSchemas } from './conjunction.ts';
import { nameValue } from './names.ts';
import type { OperationVersion } from './operation-version.ts';

interface ComparisonLimits {
  readonly maxChanges: number;
  /** Maximum number of schemas, parts and changes to compare. Each takes some microseconds and some hundred bytes. */
  readonly maxWork: number;
  /** Maximum number of pairs of schemas to look for changes in, of all operations together. */
  readonly maxVisits: number;
}

const LIMITS: ComparisonLimits = { maxChanges: 10_000, maxWork: 1_000_000, maxVisits: 3_000_000 };

/**
 * Lists what changed between two versions of a document, for those who call its operations. The words of a document, its
 * order, and how it is divided into components do not matter.
 */
export function compareDocuments(
  before: UpstreamDocument,
  after: UpstreamDocument,
  limits: Partial<ComparisonLimits> = {},
): Comparison {
  const { maxChanges, maxWork, maxVisits } = { ...LIMITS, ...limits };
  const schemas = new SchemaComparison(new DocumentSchemas(before.value), new DocumentSchemas(after.value), maxWork);
  const changes = new ChangeList(maxChanges, maxVisits);
  const [operationsBefore, operationsAfter] = [describeOperations(before), describeOperations(after)];
  for (const [key, was] of operationsBefore) {
    if (changes.isFull) break;
    const is = operationsAfter.get(key);
    const list = changes.forOperation(toChanged(was.operation));
    if (is !== undefined) compareOperation(list, { was, is }, schemas);
    else list.add('operation_removed', 'breaking', was.pointer, `${nameOperation(was.operation)} was removed`);
  }
  for (const [key, { operation, pointer }] of operationsAfter) {
    if (operationsBefore.has(key)) continue;
    const list = changes.forOperation(toChanged(operation));
    list.add('operation_added', 'compatible', pointer, `${nameOperation(operation)} is new`);
  }
  compareWebhooks(changes, before.value, after.value, schemas);
  const isCutOff = schemas.isIncomplete ? 'the documents have too many schemas to compare all of them' : null;
  return { changes: changes.all, incomplete: changes.incomplete ?? isCutOff };
}

type CallVersion = OperationVersion & { readonly operation: Operation };

/** The operations by what callers see of them: the method, and the path without the names of its parameters. */
function describeOperations({ value: document, operations, source }: UpstreamDocument): Map<string, CallVersion> {
  const { prefix = '' } = source.options;
  const described = new Map<string, CallVersion>();
  for (const operation of operations) {
    const { method, path } = operation;
    const template = path.slice(prefix.length);
    const item = pathItemAt(document, ['paths', template]) ?? {};
    const key = method.toLowerCase();
    described.set(formatCall(operation), {
      document,
      operation,
      template,
      item,
      value: objectAt(item, key),
      pointer: toPointer(['paths', template, key]),
    });
  }
  return described;
}

/** Names what callers see of an operation, so that operations for the same calls have the same name. */
export function formatCall({ method, path, hasRest }: Pick<Operation, 'hasRest' | 'method' | 'path'>): string {
  return `${method} ${withoutParameterNames(path)}${hasRest ? ' and more segments' : ''}`;
}

function toChanged({ id, method, path }: Operation): ChangedOperation {
  return { id, method, path };
}

function nameOperation({ method, path }: Operation): string {
  return `${method} ${nameValue(path)}`;
}

function compareWebhooks(changes: ChangeList, before: JsonObject, after: JsonObject, schemas: SchemaComparison): void {
  const [webhooksBefore, webhooksAfter] = [describeWebhooks(before), describeWebhooks(after)];
  const list = changes.forOperation(null);
  for (const [name, was] of webhooksBefore) {
    if (changes.isFull) return;
    const is = webhooksAfter.get(name);
    if (is !== undefined) compareOperation(list, { was, is }, schemas);
    else list.add('webhook_removed', 'breaking', was.pointer, `the webhook ${nameValue(name)} was removed`);
  }
  for (const [name, { pointer }] of webhooksAfter) {
    if (webhooksBefore.has(name)) continue;
    list.add('webhook_added', 'compatible', pointer, `the webhook ${nameValue(name)} is new`);
  }
}

function describeWebhooks(document: JsonObject): Map<string, OperationVersion> {
  const field = webhooksField(document);
  const described = new Map<string, OperationVersion>();
  for (const name of Object.keys(objectAt(document, field))) {
    const item = pathItemAt(document, [field, name]) ?? {};
    for (const method of METHODS.map((each) => each.toLowerCase())) {
      if (item[method] === undefined) continue;
      const value = objectAt(item, method);
      const pointer = toPointer([field, name, method]);
      described.set(method === 'post' ? name : `${name} ${method}`, {
        document,
        operation: null,
        template: '',
        item,
        value,
        pointer,
      });
    }
  }
  return described;
}
