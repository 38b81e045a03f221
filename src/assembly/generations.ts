import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from './context.ts';
import { createSharedObjects, listDocumentSources, Generation, type Parts, type SharedObjects } from './generation.ts';
import { waitAtMost } from '../base/awaitable.ts';
import { StartError } from '../base/error-types.ts';
import type { LiveConfig } from '../config/config.ts';
import type { Prepared } from './reloading.ts';
import type { AdminToken } from '../control-plane/admin/access/admin-tokens.ts';
import { storeDocument } from '../control-plane/gateway-endpoints/endpoint-handlers.ts';
import type { Route } from '../data-plane/upstreams/upstream.ts';
import { prepareRouter } from '../openapi/operation-router.ts';

/** Maximum number of generations: the serving generation, and earlier generations with unfinished requests. */
const MAX_GENERATIONS = 3;

/** Tracks the serving generation and earlier generations with unfinished requests, and prepares the next generation. */
export class Generations {
  readonly #context: Context;
  readonly #parts: Parts;
  readonly #sharedObjects: SharedObjects;
  #serving: Generation | null = null;
  /** For each earlier generation with unfinished requests, a promise that resolves after the last of them. */
  readonly #ending = new Set<Promise<void>>();

  constructor(context: Context, parts: Parts) {
    this.#context = context;
    this.#parts = parts;
    this.#sharedObjects = createSharedObjects(context, parts);
  }

  /** @returns the tokens of the admin API */
  async start(): Promise<readonly AdminToken[]> {
    const { upstreams } = this.#parts;
    const generation = await this.#create(this.#context.inForce.live, upstreams.routes);
    this.#use(generation);
    return generation.tokens;
  }

  /**
   * @throws StartError if the configuration cannot be used, or too many earlier generations have unfinished requests
   */
  readonly prepare = async (live: LiveConfig, withinMs: number): Promise<Prepared> => {
    const deadline = performance.now() + withinMs;
    await this.#waitForRoom(withinMs);
    const { upstreams } = this.#parts;
    const leftMs = Math.max(0, deadline - performance.now());
    const openedUpstreams = await upstreams.prepare(live.upstreams, live.edge.maxBody, leftMs);
    try {
      const generation = await this.#create(live, openedUpstreams.routes);
      const { warnings } = openedUpstreams;
      return {
        warnings,
        use: () => this.#use(generation, openedUpstreams.use()),
        discard: () => openedUpstreams.discard(),
      };
    } catch (error) {
      await openedUpstreams.discard();
      throw error;
    }
  };

  /**
   * Creates a generation. With thousands of operations, some steps are slow, so they run in pieces before the
   * constructor, and requests are served in between.
   */
  async #create(live: LiveConfig, routes: readonly Route[]): Promise<Generation> {
    const tokenIssuers = live.tokens.map(({ issuer }) => issuer);
    const publicDocument = await this.#sharedObjects.publicDocuments.of(listDocumentSources(live), tokenIssuers);
    await storeDocument(publicDocument);
    await prepareRouter(routes);
    await nextTurn();
    const verifier = await this.#parts.tokens.verifierFor(live.tokens);
    return new Generation(this.#context, this.#parts, this.#sharedObjects, { live, routes, publicDocument, verifier });
  }

  async #waitForRoom(limitMs: number): Promise<void> {
    const { size } = this.#ending;
    if (1 + size < MAX_GENERATIONS || (await waitAtMost(limitMs, Promise.race(this.#ending)))) return;
    throw new StartError(
      `requests of ${size} earlier configurations are still running: reload again when they are over, or ` +
        'restart the gateway',
    );
  }

  /** @param closeUnused closes the services that only the previous generation uses */
  #use(generation: Generation, closeUnused = () => Promise.resolve()): void {
    const before = this.#serving;
    this.#serving = generation;
    generation.use();
    if (before === null) return;
    const draining = before.dataPlane.waitUntilIdle().then(() => {
      this.#ending.delete(draining);
      before.dataPlane.release();
    });
    this.#ending.add(draining);
    void draining.then(closeUnused);
  }
}
