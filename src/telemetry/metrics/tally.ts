import type { Counter, Registry } from 'prom-client';

/**
 * Counters and histograms that are cheap to update: the caller looks up the child for some labels once, and keeps it. A
 * child is a plain object. prom-client's own metrics join and check their labels at every increment, which would be the
 * most expensive part of a request. prom-client's registry reads these metrics on every scrape.
 */

/** The label values, in the order of the label names. */
type Values = readonly string[];
interface Sample {
  readonly metricName?: string;
  readonly labels: Record<string, string | number>;
  readonly value: number;
}

abstract class Tally<Child> {
  readonly name: string;
  readonly help: string;
  readonly aggregator = 'sum';
  abstract readonly type: 'counter' | 'histogram';
  readonly labelNames: readonly string[];
  readonly #children = new Map<string, { readonly labels: Record<string, string>; readonly child: Child }>();

  constructor(registry: Registry, name: string, help: string, labelNames: readonly string[]) {
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    // The cast is needed because the registry's type demands a class of prom-client, although the registry uses only
    // what is implemented here.
    registry.registerMetric(this as unknown as Counter);
  }

  /**
   * The child for these label values, created on first use. Keep the child: this method is too slow to call for every
   * request.
   */
  child(...values: Values): Child {
    const id = values.join('\n');
    let found = this.#children.get(id);
    if (found === undefined) {
      const labels = Object.fromEntries(this.labelNames.map((name, index) => [name, values[index] ?? '']));
      found = { labels, child: this.create() };
      this.#children.set(id, found);
    }
    return found.child;
  }

  /** Returns the samples. prom-client's registry calls this on every scrape. */
  async get() {
    const { name, help, type, aggregator } = this;
    const values = [...this.#children.values()].flatMap(({ labels, child }) => this.samples(labels, child));
    return { name, help, type, aggregator, values };
  }

  protected abstract create(): Child;
  protected abstract samples(labels: Record<string, string>, child: Child): Sample[];
}

export interface Count {
  value: number;
}

export class CounterTally extends Tally<Count> {
  readonly type = 'counter';

  protected create(): Count {
    return { value: 0 };
  }

  protected samples(labels: Record<string, string>, { value }: Count): Sample[] {
    return [{ labels, value }];
  }
}

export class Distribution {
  readonly #bounds: Float64Array;
  /** The count of each bucket, not cumulative. The last bucket is for values above all bounds. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: Float64Array) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index++;
    (this.counts[index] as number)++;
    this.sum += value;
  }
}

export class HistogramTally extends Tally<Distribution> {
  readonly type = 'histogram';
  readonly #bounds: Float64Array;

  /** @param bounds the upper bounds of the buckets, ascending */
  constructor(registry: Registry, name: string, help: string, labelNames: readonly string[], bounds: number[]) {
    super(registry, name, help, labelNames);
    this.#bounds = Float64Array.from(bounds);
  }

  protected create(): Distribution {
    return new Distribution(this.#bounds);
  }

  protected samples(labels: Record<string, string>, { counts, sum }: Distribution): Sample[] {
    const samples: Sample[] = [];
    let total = 0;
    for (const [index, count] of counts.entries()) {
      total += count;
      const le = this.#bounds[index] ?? '+Inf';
      samples.push({ metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: total });
    }
    samples.push({ metricName: `${this.name}_sum`, labels, value: sum });
    samples.push({ metricName: `${this.name}_count`, labels, value: total });
    return samples;
  }
}
