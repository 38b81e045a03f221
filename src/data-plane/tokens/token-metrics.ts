import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import { type Count, CounterTally } from '../../telemetry/metrics/tally.ts';

/** The outcomes of a verification. `remembered` was verified before. */
const OUTCOMES = [
  'remembered',
  'verified',
  'token_expired',
  'token_invalid',
  'token_keys_unavailable',
  'overloaded',
] as const;

/** The verifications of the tokens of one issuer, by outcome. */
export type TokenCounts = Readonly<Record<(typeof OUTCOMES)[number], Count>>;

/** An issuer, and the age of its keys; null: they were never fetched. */
interface AgingKeys {
  readonly config: { readonly name: string };
  readonly keys: { readonly ageMs: number | null };
}

export class TokenMetrics {
  readonly #verifications: CounterTally;

  /** @param issuers the issuers of the configuration in force */
  constructor(registry: Registry, issuers: () => readonly AgingKeys[]) {
    this.#verifications = new CounterTally(
      registry,
      'tollgate_token_verifications_total',
      'Access tokens of configured issuers, by what their verification found.',
      ['token', 'outcome'],
    );
    const collect = () => {
      age.reset();
      for (const { config, keys } of issuers()) {
        if (keys.ageMs !== null) age.set({ token: config.name }, keys.ageMs / 1000);
      }
    };
    const age: Gauge<'token'> = new Gauge({
      name: 'tollgate_token_keys_age_seconds',
      help: 'Time since the keys of an issuer of tokens were fetched.',
      labelNames: ['token'],
      registers: [registry],
      collect,
    });
  }

  countsFor(name: string): TokenCounts {
    const counts = OUTCOMES.map((outcome) => [outcome, this.#verifications.child(name, outcome)]);
    return Object.fromEntries(counts) as TokenCounts;
  }
}
