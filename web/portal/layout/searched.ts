import type { SearchIndex } from '../api/reference.ts';
import type { Reference } from '../reference/model/reference.ts';
import type { SearchedPage } from '../screens/guides/guides.ts';

/** The data in which the search of the portal looks. */
export interface SearchedData {
  readonly places: readonly Place[];
  /** Null until the reference is loaded. */
  readonly reference: Reference | null;
  /** Undefined until the index is loaded. */
  readonly index: SearchIndex | undefined;
  readonly events: readonly { readonly name: string; readonly summary: string }[];
  readonly errors: readonly { readonly code: string; readonly status: string; readonly message: string }[];
  readonly guides: readonly SearchedPage[];
  /** The user's own webhooks. */
  readonly webhooks: readonly { readonly id: string; readonly url: string; readonly description: string }[];
}

export interface Place {
  readonly label: string;
  readonly to: string;
}
