import { type ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';

const UNSTABLE = ['experimental', 'draft', 'alpha', 'beta'] as const;

interface Lifecycle {
  readonly deprecated: boolean;
  /** RFC 3339; null if there is no date. */
  readonly deprecatedAt: string | null;
  readonly sunsetAt: string | null;
  /** The path to call instead. May contain `{names}`. */
  readonly successor: string | null;
  readonly link: string | null;
  readonly brownouts: readonly { readonly from: string; readonly to: string }[];
  /** Null: stable. */
  readonly stability: (typeof UNSTABLE)[number] | null;
}

/** The fields of an operation in lists. */
export interface ListedOperation {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly tag: string | null;
  readonly summary: string | null;
  /** Units of quota per call. */
  readonly cost: number;
  readonly needsKey: boolean;
  /** The names of the plans that include it, if the user's plan or key does not; null: it is included. */
  readonly missingFrom: readonly string[] | null;
  readonly lifecycle: Lifecycle;
}

/** @param item the path item */
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
    // The gateway's name for an operation without an id.
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

/** No key is required if the requirements are missing, or one of them is empty: a key is then optional. */
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
