import { type ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';

const UNSTABLE = ['experimental', 'draft', 'alpha', 'beta'] as const;

interface Lifecycle {
  readonly deprecated: boolean;
  /** In RFC 3339. Null if there is no date. */
  readonly deprecatedAt: string | null;
  readonly sunsetAt: string | null;
  /** The path to call instead. It may contain parameters, such as `{petId}`. */
  readonly successor: string | null;
  readonly link: string | null;
  readonly brownouts: readonly { readonly from: string; readonly to: string }[];
  /** Null if the operation is stable. */
  readonly stability: (typeof UNSTABLE)[number] | null;
}

/** The data of an operation that lists show. */
export interface ListedOperation {
  readonly id: string;
  /** The method in upper case. */
  readonly method: string;
  readonly path: string;
  readonly tag: string | null;
  readonly summary: string | null;
  /** The units of quota that a call costs. */
  readonly cost: number;
  readonly needsKey: boolean;
  /** The names of the plans that include the operation. Null if the user's own plan and key include it. */
  readonly missingFrom: readonly string[] | null;
  readonly lifecycle: Lifecycle;
}

/**
 * Reads the data that lists show.
 *
 * @param item the path item of the operation
 */
export function listedOperation(
  document: ApiDocument,
  method: string,
  path: string,
  item: JsonObject,
): ListedOperation {
  const raw = asObject(item[method]);
  const name = method.toUpperCase();
  const cost = raw['x-tollgate-cost'];
  return {
    // If the document has no id, use the gateway's name for the operation, which is its method and path.
    id: asText(raw['operationId']) ?? `${name} ${path}`,
    method: name,
    path,
    tag: asText(asList(raw['tags'])[0]),
    summary: asText(raw['summary']),
    cost: typeof cost === 'number' ? cost : 1,
    needsKey: needsKey(raw['security'] ?? document.value['security']),
    missingFrom: raw['x-tollgate-included'] === false ? asList(raw['x-tollgate-plans']).map(String) : null,
    lifecycle: readLifecycle(raw),
  };
}

/**
 * True if a call needs a key. It needs none if the requirements are missing, or if one of them is empty, which makes
 * the key optional.
 */
function needsKey(security: unknown): boolean {
  const requirements = asList(security);
  return requirements.length > 0 && requirements.every((each) => Object.keys(asObject(each)).length > 0);
}

function readLifecycle(raw: JsonObject): Lifecycle {
  return {
    deprecated: raw['deprecated'] === true,
    deprecatedAt: asText(raw['x-deprecated-at']),
    sunsetAt: asText(raw['x-sunset']),
    successor: asText(raw['x-successor']),
    link: asText(raw['x-deprecation-link']),
    brownouts: asList(raw['x-brownouts']).map((each) => {
      const { from, to } = asObject(each);
      return { from: asText(from) ?? '', to: asText(to) ?? '' };
    }),
    stability: UNSTABLE.find((one) => one === raw['x-stability-level']) ?? null,
  };
}
