import { formatPath, type Faults } from '../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { readYaml, type YamlFile } from '../base/yaml.ts';
import { toPrintable, findTextFault } from '../base/text.ts';
import { checkComponents, checkReferences, checkSharedItems } from './document-faults.ts';
import { type Fault, readLifecycle, type Lifecycle } from './operation-lifecycle.ts';
import { lastSegmentParameter, listParameters, templateFault } from './path-template.ts';
import { joinedParameters, listAt, pathItemAt } from './path-item.ts';
import { dereferenced } from './pointer.ts';
import { queryFor } from './suggested-overlay.ts';
import { positiveDuration, size } from '../base/units.ts';
import { VALIDATION_MODES, type ValidationMode } from '../domain/validation-mode.ts';

/** The methods that an operation may have, in the order in which `Allow` names them. */
export const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH'] as const;

/** The fields of a path item that are operations. */
export const OPERATION_KEYS: ReadonlySet<string> = new Set(METHODS.map((method) => method.toLowerCase()));

/** One operation of an upstream, as the gateway sees it. */
export interface Operation extends Extensions {
  /**
   * The document's `operationId` with the upstream's `idPrefix`. Without an `operationId`, this is the method and the
   * path as consumers call it. Metrics and history name the operation by this id.
   */
  readonly id: string;
  readonly method: string;
  /** The path template as consumers call it, with the upstream's prefix. */
  readonly path: string;
  /** Whether the last parameter of the path may contain slashes (`x-multi-segment`). Such a parameter is a rest. */
  readonly hasRest: boolean;
  readonly tags: readonly string[];
  readonly lifecycle: Lifecycle;
  /** File and line of the operation in its document. */
  readonly source: string;
}

/** The same limit as in `OperationId` of the admin API. PostgreSQL cannot index names of about 2700 bytes. */
const MAX_ID = 512;
/**
 * Limits for the lists of an operation. A path item can be shared by thousands of paths, and each operation has its own
 * copy of these lists, in memory or in a document.
 */
const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 200;
const MAX_RESPONSES = 100;
const MAX_SECURITY_SCHEMES = 100;

export interface ApiDocument {
  readonly file: string;
  readonly value: JsonObject;
  readonly operations: readonly Operation[];
}

/** The prefixes that an upstream adds to its document. */
export interface Prefixes {
  /** Prefix of every path. */
  readonly prefix?: string;
  /** Prefix of every `operationId`. */
  readonly idPrefix?: string;
}

interface ReadOptions extends Prefixes {
  /** Whether the document describes an API of the gateway itself, whose operations may have `x-tollgate-reads`. */
  readonly isOwn?: boolean;
}

/**
 * Reads an OpenAPI document (3.0 or 3.1, YAML or JSON) and lists its operations. Adds errors to `faults`, and minor
 * problems to `warnings`.
 */
export function readDocument(file: string, prefixes: Prefixes, faults: Faults, warnings: string[]): ApiDocument {
  const yaml = readYaml(file, faults);
  return yaml === null ? { file, value: {}, operations: [] } : documentIn(yaml, prefixes, faults, warnings);
}

/** Like `readDocument`, for a file that was already read. */
export function documentIn(yaml: YamlFile, options: ReadOptions, faults: Faults, warnings: string[]): ApiDocument {
  const file = yaml.path;
  const value = isObject(yaml.value) ? yaml.value : {};
  const version = value['openapi'];
  const unsupported = versionFault(value);
  if (unsupported !== null) {
    faults.add(yaml.locate([unsupported.field]), unsupported.field, unsupported.what);
    return { file, value, operations: [] };
  }
  // OpenAPI 3.1 allows documents that have only components or webhooks.
  const { paths = isVersion(version, '3.1') ? {} : undefined } = value;
  if (!isObject(paths)) {
    faults.add(yaml.locate(['paths']), 'paths', 'must be a map of paths');
    return { file, value, operations: [] };
  }
  checkComponents(yaml, value, faults);
  checkReferences(yaml, value, faults);
  if (!checkSharedItems(yaml, value, faults)) return { file, value, operations: [] };
  checkSecurity(value, (field, what) => faults.add(yaml.locate([field]), field, what));
  if (Array.isArray(value['security']) && value['security'].length === 0) {
    warnings.push(
      `${yaml.locate(['security'])}: security: [] for the whole document does not make operations public: set it on each public operation`,
    );
  }
  const operations: Operation[] = [];
  const ignoredMarks: string[] = [];
  for (const [path, item] of Object.entries(paths)) {
    const fault = templateFault(path);
    if (fault !== null) {
      faults.add(yaml.locate(['paths', path]), `paths ${path}`, fault);
      const query = queryFor(['paths', path]);
      if (query !== null) faults.addRemoval(file, query);
      continue;
    }
    const found = dereference(yaml, item, faults, path);
    operations.push(...readPathItem(yaml, options, path, found, faults, ignoredMarks));
  }
  warnings.push(...undatedDeprecations(operations), ...ignoredMultiSegments(ignoredMarks));
  return { file, value, operations };
}

/**
 * Returns one warning for the whole document, because third parties deprecate many operations, and rarely with a date.
 */
function undatedDeprecations(operations: readonly Operation[]): string[] {
  const [first, ...others] = operations.filter(
    ({ lifecycle }) => lifecycle.deprecated && lifecycle.deprecatedAt === null,
  );
  if (first === undefined) return [];
  const names = `${first.method} ${first.path}${others.length === 0 ? ' is' : ` and ${others.length} more ${others.length === 1 ? 'operation' : 'operations'} are`}`;
  return [
    `${first.source}: ${names} deprecated without x-deprecated-at, so no Deprecation header is sent: add the date${others.length === 0 ? '' : 's'}`,
  ];
}

/** Returns one warning for the whole document, because GitHub's document has dozens of such marks. */
function ignoredMultiSegments([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more in this document)`;
  return [
    `${first} has x-multi-segment, which is ignored${more}: only a path parameter that is the whole last segment can span slashes`,
  ];
}

function isVersion(version: unknown, minor: '3.0' | '3.1' | '3.2'): boolean {
  return typeof version === 'string' && version.startsWith(`${minor}.`);
}

/** Finds the reason why the version of a document cannot be used. Null if it can be used. */
function versionFault({ openapi, swagger }: JsonObject): { readonly field: string; readonly what: string } | null {
  if (isVersion(openapi, '3.0') || isVersion(openapi, '3.1')) return null;
  if (openapi === undefined && (typeof swagger === 'string' || typeof swagger === 'number')) {
    const what = `is Swagger ${toPrintable(String(swagger))}, which is not supported: use Swagger 2.0, or OpenAPI 3.0 or 3.1`;
    return { field: 'swagger', what };
  }
  if (isVersion(openapi, '3.2')) {
    const what = 'is 3.2.x, which is not supported: use 3.1.x without the features of 3.2';
    return { field: 'openapi', what };
  }
  return { field: 'openapi', what: 'must be 3.0.x or 3.1.x: is this an OpenAPI document?' };
}

function readPathItem(
  yaml: YamlFile,
  { prefix = '', idPrefix = '', isOwn = false }: ReadOptions,
  path: string,
  item: JsonObject,
  faults: Faults,
  ignoredMarks: string[],
): Operation[] {
  const operations: Operation[] = [];
  for (const method of METHODS) {
    const key = method.toLowerCase();
    const operation = item[key];
    if (operation === undefined) continue;
    const source = yaml.locate(['paths', path, key]);
    const name = `${method} ${path}`;
    if (!isObject(operation)) {
      faults.add(source, name, 'must be a map');
      continue;
    }
    const fault: Fault = (field, what, within = []) =>
      faults.add(
        yaml.locate(['paths', path, key, field, ...within]),
        `${name} ${formatPath([field, ...within])}`,
        what,
      );
    checkResponses(operation, fault);
    checkSecurity(operation, fault);
    const lifecycle = readLifecycle(operation, listParameters(path), fault);
    const ownId = readId(operation, fault);
    const id = ownId === null ? `${method} ${prefix}${path}` : idPrefix + ownId;
    if (id.length > MAX_ID) {
      const what = `makes the operation's id too long: idPrefix and operationId together (without an operationId, method and path) must have at most ${MAX_ID} characters`;
      fault('operationId', what);
    }
    const { hasRest, ignored } = readMultiSegments(yaml.value, path, item, operation);
    for (const parameter of ignored) ignoredMarks.push(`${source}: ${name}: the parameter ${parameter}`);
    operations.push({
      id,
      method,
      path: prefix + path,
      hasRest,
      tags: readTags(operation, fault),
      ...readExtensions(operation, isOwn, fault),
      lifecycle: { ...lifecycle, successor: withPrefix(prefix, lifecycle.successor) },
      source,
    });
  }
  return operations;
}

/**
 * Reads the marks `x-multi-segment: true` of an operation's parameters.
 *
 * @returns as `ignored`, the names of marked parameters that cannot span slashes
 */
function readMultiSegments(
  document: unknown,
  path: string,
  item: JsonObject,
  operation: JsonObject,
): { readonly hasRest: boolean; readonly ignored: readonly string[] } {
  const last = lastSegmentParameter(path);
  const parameters = joinedParameters(document, listAt(operation, 'parameters'), listAt(item, 'parameters'));
  const ignored: string[] = [];
  let hasRest = false;
  for (const parameter of parameters) {
    const { name, in: place, 'x-multi-segment': mark } = dereferenced(document, parameter) ?? {};
    if (typeof name !== 'string' || typeof place !== 'string' || mark !== true) continue;
    if (place === 'path' && name === last) hasRest = true;
    else ignored.push(toPrintable(name));
  }
  return { hasRest, ignored };
}

function readTags({ tags }: JsonObject, fault: Fault): string[] {
  if (!Array.isArray(tags)) return [];
  if (tags.length > MAX_TAGS) {
    fault('tags', `has more than ${MAX_TAGS} tags: remove some`);
    return [];
  }
  const names = tags.filter((tag) => typeof tag === 'string');
  if (names.some((name) => name.length > MAX_TAG_LENGTH)) {
    fault('tags', `has a tag of more than ${MAX_TAG_LENGTH} characters: shorten it`);
  }
  return names;
}

function checkSecurity({ security }: JsonObject, fault: Fault): void {
  if (!Array.isArray(security)) return;
  const schemes = security.reduce<number>((sum, each) => sum + (isObject(each) ? Object.keys(each).length : 1), 0);
  if (schemes > MAX_SECURITY_SCHEMES) fault('security', `names more than ${MAX_SECURITY_SCHEMES} schemes: remove some`);
}

function checkResponses({ responses }: JsonObject, fault: Fault): void {
  if (responses === undefined) return;
  if (!isObject(responses)) return fault('responses', 'must be a map');
  if (Object.keys(responses).length > MAX_RESPONSES) {
    return fault('responses', `has more than ${MAX_RESPONSES} responses: use ranges such as 4XX`);
  }
  for (const [status, response] of Object.entries(responses)) {
    if (!isObject(response) && !status.startsWith('x-')) fault('responses', 'must be a map', [status]);
  }
}

function readId({ operationId }: JsonObject, fault: Fault): string | null {
  if (operationId === '*') {
    fault('operationId', 'must not be "*", which stands for all operations: rename it');
    return null;
  }
  if (operationId === undefined) return null;
  if (typeof operationId !== 'string' || operationId === '') {
    fault('operationId', 'must be non-empty text');
    return null;
  }
  const what = /\p{Cc}/u.test(operationId) ? 'must not contain control characters' : findTextFault(operationId);
  if (what !== null) fault('operationId', what);
  return operationId;
}

/**
 * Adds the upstream's prefix to a successor that is a path. A successor that is a URL stays unchanged.
 */
export function withPrefix<Reference extends string | null>(prefix: string, reference: Reference): string | Reference {
  return reference?.startsWith('/') ? prefix + reference : reference;
}

/** A path item, merged with the target of its local `$ref`. */
function dereference(yaml: YamlFile, item: unknown, faults: Faults, path: string): JsonObject {
  if (!isObject(item)) {
    faults.add(yaml.locate(['paths', path]), `paths ${path}`, 'must be a map');
    return {};
  }
  const found = pathItemAt(yaml.value, ['paths', path]);
  if (found !== null) return found;
  faults.add(
    yaml.locate(['paths', path]),
    `paths ${path} $ref`,
    `"${String(item['$ref'])}" points to nothing in this document: use a local reference, such as #/components/pathItems/NAME`,
  );
  return {};
}

/** The gateway's settings for an operation, from its OpenAPI document. */
interface Extensions {
  /** Units of quota per request (`x-tollgate-cost`). */
  readonly cost: number;
  /** Whether the operation needs no key (`security: []`), and is therefore limited by address. */
  readonly public: boolean;
  /** Time limit until the upstream begins its response (`x-tollgate-timeout`); null: the default. */
  readonly timeoutMs: number | null;
  /** Maximum body (`x-tollgate-max-body`); null: the default. */
  readonly maxBodyBytes: number | null;
  /** Whether requests are compared with the document (`x-tollgate-validation`); null: as the upstream says. */
  readonly validation: ValidationMode | null;
  /** Whether the operation of an API of the gateway changes nothing, although it is no GET (`x-tollgate-reads`). */
  readonly reads: boolean;
}

const READS = 'x-tollgate-reads';
const KNOWN = ['x-tollgate-cost', 'x-tollgate-timeout', 'x-tollgate-max-body', 'x-tollgate-validation'];

/** Reads the gateway's own fields of an operation; calls `fault` for errors in them. */
function readExtensions(operation: Readonly<Record<string, unknown>>, isOwn: boolean, fault: Fault): Extensions {
  for (const field of Object.keys(operation)) {
    if (!field.startsWith('x-tollgate-') || KNOWN.includes(field) || (isOwn && field === READS)) continue;
    fault(field, `is unknown: check the spelling (known: ${KNOWN.join(', ')})`);
  }
  const cost = operation['x-tollgate-cost'] ?? 1;
  if (!Number.isSafeInteger(cost) || (cost as number) < 1) fault('x-tollgate-cost', 'must be a positive whole number');

  const quantity = (field: string, unit: typeof positiveDuration): number | null => {
    const value = operation[field];
    if (value === undefined) return null;
    const parsed = unit.safeParse(value);
    if (parsed.success) return parsed.data;
    fault(field, parsed.error.issues[0]?.message ?? 'cannot be read');
    return null;
  };
  const { security, 'x-tollgate-validation': mode = null } = operation;
  const validation = VALIDATION_MODES.find((each) => each === mode) ?? null;
  if (mode !== validation) fault('x-tollgate-validation', `must be one of ${VALIDATION_MODES.join(', ')}`);
  return {
    cost: cost as number,
    public: Array.isArray(security) && security.length === 0,
    timeoutMs: quantity('x-tollgate-timeout', positiveDuration),
    maxBodyBytes: quantity('x-tollgate-max-body', size),
    validation,
    reads: isOwn && operation[READS] === true,
  };
}
