import type { ErrorDetail } from '../../base/error-details.ts';
import type { Change, Severity } from '../../openapi/diff/change.ts';
import type { DocumentSource } from '../../openapi/upstream-document.ts';

/** Input of the thread that compares documents. */
export interface ComparisonInput {
  /** The body of the request. It is parsed in the thread, because it may have 24 MB. */
  readonly body: ArrayBuffer;
}

/** The fields of the body, except the texts. */
export interface AskedComparison {
  readonly upstream: string;
  readonly days: number;
}

/**
 * The document in force, which the thread needs after it has said which. Its texts come in pieces, because requests wait
 * while a text is copied: that of the document has the number 0, those of its overlays the numbers from 1.
 */
export type ThreadMessage =
  | { readonly kind: 'piece'; readonly number: number; readonly text: string }
  | {
      readonly kind: 'compare';
      readonly file: string;
      readonly overlays: readonly string[];
      readonly options: DocumentSource['options'];
    };

export interface ComparedDocuments {
  readonly counts: Readonly<Record<Severity, number>>;
  /** The most severe ones first; at most `MAX_LISTED`. */
  readonly changes: readonly Change[];
  /** Why there may be more changes; null if these are all. */
  readonly incomplete: string | null;
}

/** From the thread. */
export type ComparisonMessage =
  | { readonly kind: 'asked'; readonly asked: AskedComparison }
  | ({ readonly kind: 'compared' } & ComparedDocuments)
  /** The body is not as the document of the API says. */
  | { readonly kind: 'invalid'; readonly details: readonly ErrorDetail[] }
  /** A document cannot be read. */
  | { readonly kind: 'refused'; readonly faults: readonly string[] };
