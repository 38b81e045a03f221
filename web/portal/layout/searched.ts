import type { SearchIndex } from '../api/reference.ts';
import type { Reference } from '../reference/model/reference.ts';
import type { SearchedPage } from '../screens/guides/guides.ts';

/** Everything that the search of the portal finds. */
export interface Searched {
  readonly places: readonly Place[];
  /** Null until it is loaded. */
  readonly reference: Reference | null;
  /** Undefined until it is loaded. */
  readonly index: SearchIndex | undefined;
  readonly events: readonly { readonly name: string; readonly summary: string }[];
  readonly errors: readonly { readonly code: string; readonly status: string; readonly message: string }[];
  readonly guides: readonly SearchedPage[];
  /** The user's own. */
  readonly webhooks: readonly { readonly id: string; readonly url: string; readonly description: string }[];
}

export interface Place {
  readonly label: string;
  readonly to: string;
}
