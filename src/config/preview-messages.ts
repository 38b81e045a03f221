import type { ReloadEffects, Subjects } from '../control-plane/system/reload-effects.ts';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import type { Environment } from './environment.ts';
import type { PreviousConfig } from './reload-effects.ts';
import type { Setting } from './settings-in-force.ts';

/** Input of the thread that previews a reload. */
export interface PreviewInput {
  readonly processEnv: Environment;
  readonly cwd: string;
}

/** A document in force without its texts. */
export interface SentDocument extends Pick<UpstreamDocument, 'file'> {
  readonly options: UpstreamDocument['source']['options'];
  readonly overlays: readonly string[];
}

interface SentUpstream extends Omit<UpstreamConfig, 'candidateDocument' | 'document'> {
  readonly document: SentDocument;
  readonly candidateDocument: SentDocument | null;
}

/** To the thread. Everything large comes in pieces, because requests wait while a message is copied. */
export type PreviewRequest =
  /**
   * A piece of a text of the document of an upstream. The document has the number 0, its overlays have the numbers from
   * 1, and the candidate comes after them.
   */
  | { readonly kind: 'text'; readonly upstream: number; readonly number: number; readonly text: string }
  | { readonly kind: 'upstream'; readonly upstream: SentUpstream }
  | { readonly kind: 'settings'; readonly part: 'fixed' | 'live'; readonly settings: readonly Setting[] }
  | { readonly kind: 'keys'; readonly keys: Subjects['keys'] }
  | {
      readonly kind: 'compare';
      readonly before: Pick<PreviousConfig, 'files'> & Pick<PreviousConfig['live'], 'plans' | 'portal'>;
      readonly subjects: Omit<Subjects, 'keys'>;
    };

/** The only message from the thread. */
export type PreviewMessage =
  | { readonly kind: 'compared'; readonly effects: ReloadEffects }
  | { readonly kind: 'refused'; readonly faults: readonly string[]; readonly remedies: readonly string[] };
