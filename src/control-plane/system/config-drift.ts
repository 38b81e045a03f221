import { createHash } from 'node:crypto';
import type { ConfigDigest, SeenGateway } from './heartbeat.ts';

/** Running gateways have different configurations. */
export interface ConfigDrift {
  /** The latest time at which the difference can have begun, in ms since the Unix epoch. */
  readonly since: number;
  /** The parts that differ, as in `ConfigDigest`. */
  readonly parts: readonly string[];
}

/**
 * Compares the running gateways that report their configuration.
 *
 * @returns null if all of them have the same
 */
export function findDrift(gateways: readonly SeenGateway[]): ConfigDrift | null {
  const configs = gateways.flatMap(({ state, config }) => (state === 'running' && config !== null ? [config] : []));
  const names = [...new Set(configs.flatMap(({ parts }) => Object.keys(parts)))];
  const parts = names.filter((name) => new Set(configs.map((config) => config.parts[name])).size > 1).toSorted();
  if (parts.length === 0) return null;
  // The time at which each configuration came into force. The second of them began the difference.
  const starts = new Map<string, number>();
  for (const { parts: digest, since } of configs) {
    const text = JSON.stringify(digest);
    starts.set(text, Math.min(since, starts.get(text) ?? since));
  }
  const [, second = Number.NaN] = [...starts.values()].toSorted((one, other) => one - other);
  return { since: second, parts };
}

/** The parts in which a gateway differs from another one; null if the configuration of either is unknown. */
export function findDifferentParts(one: SeenGateway, other: SeenGateway | undefined): readonly string[] | null {
  const [ownParts, otherParts] = [one.config?.parts, other?.config?.parts];
  if (ownParts === undefined || otherParts === undefined) return null;
  const names = new Set([...Object.keys(ownParts), ...Object.keys(otherParts)]);
  return [...names].filter((name) => ownParts[name] !== otherParts[name]).toSorted();
}

/** A digest of the whole configuration, from the digests of its parts. */
export function computeDigest(parts: ConfigDigest): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}
