import { setImmediate as nextTurn } from 'node:timers/promises';
import { StartError } from '../base/error-types.ts';
import type { LiveConfig } from '../config/config.ts';
import { listCertificatesInUse } from '../config/loaded-files.ts';
import type { PreviewConfig } from '../config/preview-thread.ts';
import { findReloadEffects, type NextConfig, type PreviousConfig } from '../config/reload-effects.ts';
import type { ConfigPreviewReads } from '../control-plane/admin/resources/system-preview.ts';
import { Refused } from '../control-plane/api-server/refused.ts';
import { createUnknownEffects, type ReloadEffects, type Subjects } from '../control-plane/system/reload-effects.ts';
import type { Upstreams } from '../data-plane/upstreams/open-upstream.ts';
import type { Certificates } from '../http/reloaded-certificate.ts';
import { RETRY_SOON } from '../http/retry-after.ts';
import type { Context } from './context.ts';

interface PreviewingOptions {
  /** Reads and compares the configuration in a thread. */
  readonly previewConfig: PreviewConfig;
  readonly certificates: Certificates;
  readonly upstreams: Pick<Upstreams, 'all'>;
}

/** Documents up to this length together are compared in the main thread, where that takes a few milliseconds. */
const MAX_COMPARED_HERE = 64 * 1024;

/** Finds the effects of reloads: of one that could be done now, and of one that is under way. */
export class Previewing {
  readonly #context: Pick<Context, 'fixed' | 'inForce' | 'logger'>;
  readonly #options: PreviewingOptions;
  #isBusy = false;

  constructor(context: Pick<Context, 'fixed' | 'inForce' | 'logger'>, options: PreviewingOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Applies nothing. Only one preview runs at a time, because each may need much memory. */
  readonly previewReload: ConfigPreviewReads['previewReload'] = async (readSubjects) => {
    if (this.#isBusy) {
      throw new Refused('overloaded', {
        message: 'Another preview is running. Try again after the time given in Retry-After.',
        headers: { 'Retry-After': RETRY_SOON },
      });
    }
    this.#isBusy = true;
    try {
      // The first preview compiles much code, so requests are served between its steps. The first wait ends in the turn
      // in which the request arrived, and the second one in the next turn.
      await nextTurn();
      await nextTurn();
      const subjects = await readSubjects();
      await nextTurn();
      return await this.#options.previewConfig(this.#describe(this.#context.inForce.live), subjects);
    } finally {
      this.#isBusy = false;
    }
  };

  /** Finds the effects of a reload that replaces the configuration in force with one that was read. Does not reject. */
  async findEffects(next: NextConfig, subjects: Promise<Subjects>): Promise<ReloadEffects> {
    const before = this.#describe(this.#context.inForce.live);
    const known = await subjects;
    try {
      if (measureChangedTexts(before.live, next.live) <= MAX_COMPARED_HERE)
        return await findReloadEffects(before, next, known);
      return await this.#options.previewConfig(before, known);
    } catch (error) {
      const isExpected = error instanceof StartError;
      if (!isExpected) this.#context.logger.error({ err: error }, 'could not find the effects of a reload');
      return createUnknownEffects(isExpected ? error.message : 'the effects could not be found: see the log');
    }
  }

  #describe(live: LiveConfig): PreviousConfig {
    const { fixed } = this.#context;
    const { certificates, upstreams } = this.#options;
    const listeners = new Map([
      ['tls', certificates.public],
      ['admin.tls', certificates.admin],
      ['portal.tls', certificates.portal],
    ]);
    const findPair = (setting: string) => {
      const upstream = upstreams.all.find(({ name }) => setting === `upstreams.${name}.tls`);
      return upstream === undefined ? listeners.get(setting)?.pair : upstream.certificate?.();
    };
    const files = [...fixed.files, ...live.files, ...listCertificatesInUse(findPair, fixed, live.upstreams)];
    return { fixed, live, files };
  }
}

/** The length of the documents that a reload changes. */
function measureChangedTexts(before: Pick<LiveConfig, 'upstreams'>, next: Pick<LiveConfig, 'upstreams'>): number {
  const [was, is] = [before, next].map(({ upstreams }) => new Set(upstreams.map(({ document }) => document)));
  const changed = was === undefined || is === undefined ? [] : [...was.symmetricDifference(is)];
  return changed.reduce(
    (sum, { source: { text, overlays } }) =>
      sum + text.length + overlays.reduce((all, each) => all + each.text.length, 0),
    0,
  );
}
