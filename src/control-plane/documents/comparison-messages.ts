import type { ErrorDetail } from '../../base/error-details.ts';
import type { Change, Severity } from '../../openapi/diff/change.ts';
import type { DocumentSource } from '../../openapi/upstream-document.ts';

/** The fields of the body, except the texts. */
export interface AskedComparison {
  readonly upstream: string;
  readonly days: number;
}

/**
 * First the body of the request, which the thread parses. Then the document in force, once the thread has said which it
 * needs. Both come in pieces, because they may have 24 MB, and requests wait while a piece is copied. The text of the
 * document has the number 0, and those of its overlays have the numbers from 1.
 */
export type ThreadMessage =
  | { readonly kind: 'body'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'body_end' }
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
