import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { FairSemaphore } from '../../base/fair-semaphore.ts';
import type { Clock } from '../../base/time.ts';
import type { TokenConfig } from './token-config.ts';
import { TokenMetrics } from './token-metrics.ts';
import type { IssuerKeys, KeysReport } from './issuer-keys.ts';
import type { TokenIssuer, TokenVerifier } from './token-verifier.ts';
import { SAMPLE_MS, type VerificationReport, VerificationTally } from './verification-tally.ts';

/**
 * Signatures are verified in one fair queue, so that junk from one address does not delay the tokens of others. Each
 * verification takes one of the threads that files and host names need as well.
 */
const VERIFICATIONS = { concurrency: 8, maxWaiting: 1000, maxWaitingPerParty: 100 };

interface TokensDependencies {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The state of an issuer, as this gateway sees it. */
export interface IssuerReport {
  readonly config: TokenConfig;
  readonly keys: KeysReport;
  readonly verifications: VerificationReport;
}

/** The issuers of access tokens. Their keys stay across a reload that does not change where they are. */
export class Tokens {
  readonly #dependencies: TokensDependencies;
  readonly #metrics: TokenMetrics;
  readonly #verifications = new FairSemaphore(VERIFICATIONS);
  /** By name, also of issuers that are no longer configured: like the metrics, they count on if the name comes back. */
  readonly #tallies = new Map<string, VerificationTally>();
  #sampling: NodeJS.Timeout | null = null;
  #current: TokenVerifier | null = null;

  constructor(dependencies: TokensDependencies) {
    this.#dependencies = dependencies;
    this.#metrics = new TokenMetrics(dependencies.registry, () => this.#current?.issuers ?? []);
  }

  /** The verifier in use; null if no tokens are configured. */
  get current(): TokenVerifier | null {
    return this.#current;
  }

  /**
   * Creates the verifier of a configuration, or returns the one in use if it has the same configuration. Tokens that
   * were verified under another configuration must be verified again, so a new verifier remembers none.
   *
   * @returns null if no tokens are configured
   */
  async verifierFor(configs: readonly TokenConfig[]): Promise<TokenVerifier | null> {
    if (configs.length === 0) return null;
    // Both are loaded only if they are needed: cryptography and an HTTP client take time and memory.
    const [{ TokenVerifier: Verifier }, { IssuerKeys: Keys }] = await Promise.all([
      import('./token-verifier.ts'),
      import('./issuer-keys.ts'),
    ]);
    const current = this.#current;
    const same = isDeepStrictEqual(
      configs,
      current?.issuers.map(({ config }) => config),
    );
    if (current !== null && same) return current;
    const { clock, logger } = this.#dependencies;
    const issuers = configs.map((config): TokenIssuer => {
      const keys = this.#findKeys(config) ?? new Keys({ ...config, clock, logger });
      return { config, keys, tally: this.#findTally(config.name) };
    });
    return new Verifier({ issuers, verifications: this.#verifications, clock });
  }

  /** From now on, fetches the keys of this verifier's issuers, and no longer those of others. */
  use(verifier: TokenVerifier | null): void {
    const before = this.#current?.issuers.map(({ keys }) => keys) ?? [];
    const nextKeySets = verifier?.issuers.map(({ keys }) => keys) ?? [];
    this.#current = verifier;
    if (verifier !== null) this.#sampling ??= setInterval(() => this.#sample(), SAMPLE_MS).unref();
    else this.#stopSampling();
    for (const keys of before) if (!nextKeySets.includes(keys)) keys.stop();
    for (const keys of nextKeySets) keys.start();
  }

  stop(): void {
    this.use(null);
  }

  /** The issuers in use, in the order of the configuration. */
  report(): readonly IssuerReport[] {
    const issuers = this.#current?.issuers ?? [];
    return issuers.map(({ config, keys, tally }) => {
      return { config, keys: keys.report(config.algorithms), verifications: tally.report() };
    });
  }

  #findTally(name: string): VerificationTally {
    let tally = this.#tallies.get(name);
    if (tally === undefined) {
      tally = new VerificationTally(this.#metrics.countsFor(name), this.#dependencies.clock);
      this.#tallies.set(name, tally);
    }
    return tally;
  }

  #sample(): void {
    for (const tally of this.#tallies.values()) tally.sample();
  }

  #stopSampling(): void {
    if (this.#sampling !== null) clearInterval(this.#sampling);
    this.#sampling = null;
  }

  /** The keys in use of an issuer that is configured as before; undefined if there are none. */
  #findKeys({ name, issuer, jwksUri }: TokenConfig): IssuerKeys | undefined {
    return this.#current?.issuers.find(({ config }) => {
      return config.name === name && config.issuer === issuer && config.jwksUri === jwksUri;
    })?.keys;
  }
}
