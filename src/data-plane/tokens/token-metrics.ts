import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import { type Count, CounterTally } from '../../telemetry/metrics/tally.ts';

/** The outcomes of a verification. `remembered` was verified before. */
export const OUTCOMES = [
  'remembered',
  'verified',
  'token_expired',
  'token_invalid',
  'token_keys_unavailable',
  'overloaded',
] as const;

export type VerificationOutcome = (typeof OUTCOMES)[number];

/** The verifications of the tokens of one issuer, by outcome. */
export type TokenCounts = Readonly<Record<VerificationOutcome, Count>>;

/** An issuer, and the age of its keys; null: they were never fetched. */
interface AgingKeys {
  readonly config: { readonly name: string };
  readonly keys: { readonly ageMs: number | null; readonly isUsable: boolean };
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
    const collectUsable = () => {
      usable.reset();
      for (const { config, keys } of issuers()) usable.set({ token: config.name }, keys.isUsable ? 1 : 0);
    };
    const age: Gauge<'token'> = new Gauge({
      name: 'tollgate_token_keys_age_seconds',
      help: 'Time since the keys of an issuer of tokens were fetched.',
      labelNames: ['token'],
      registers: [registry],
      collect,
    });
    const usable: Gauge<'token'> = new Gauge({
      name: 'tollgate_token_keys_usable',
      help: '1 if the keys of an issuer of tokens were fetched within the last 24 hours, so that its tokens are accepted.',
      labelNames: ['token'],
      registers: [registry],
      collect: collectUsable,
    });
  }

  countsFor(name: string): TokenCounts {
    const counts = OUTCOMES.map((outcome) => [outcome, this.#verifications.child(name, outcome)]);
    return Object.fromEntries(counts) as TokenCounts;
  }
}
