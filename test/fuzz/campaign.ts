import { fuzzRound, playRound, type Found } from './runner.ts';
import type { Target, World } from './target.ts';

const REPORT_MS = 60_000;
/** If the heap has grown by this much since the first report, it counts as a leak. */
const GROWTH_BYTES = 50_000_000;

interface CampaignOptions {
  /** True to continue after a finding, and to ignore further findings of the same kind. */
  readonly keepGoing: boolean;
  /** The script to play, instead of generated ones. */
  readonly script?: unknown;
}

/** Runs rounds of one target, each with the next seed. Reports every minute, and after every finding. */
export class Campaign {
  readonly #target: Target<never>;
  readonly #from: number;
  readonly #options: CampaignOptions;
  /** The kinds of findings so far. */
  readonly #known = new Set<string>();
  #seed: number;
  #cases = 0;
  #heapAtFirst = 0;

  constructor(target: Target<never>, seed: number, options: CampaignOptions) {
    this.#target = target;
    this.#from = this.#seed = seed;
    this.#options = options;
  }

  /** @returns the number of kinds of findings */
  async run(ms: number): Promise<number> {
    const until = performance.now() + ms;
    const world = await this.#target.open();
    try {
      for (let reportAt = 0; performance.now() < until && !this.#isDone;) {
        await this.#round(world, until);
        if (performance.now() < reportAt) continue;
        reportAt = performance.now() + REPORT_MS;
        await this.#report(world);
      }
      await this.#report(world);
    } finally {
      await world.close();
    }
    return this.#known.size;
  }

  get #isDone(): boolean {
    return this.#known.size > 0 && !this.#options.keepGoing;
  }

  async #round(world: World<never>, until: number): Promise<void> {
    const { script } = this.#options;
    const seed = this.#seed++;
    const options = { known: this.#known, until };
    const { cases, found } =
      script === undefined
        ? await fuzzRound(this.#target, world, seed, options)
        : await playRound(world, script as never);
    this.#cases += cases;
    if (found !== null) this.#reportFinding(found, seed);
  }

  /** Prints the finding in the format of `seeds.json`, where it should be added. */
  #reportFinding({ kind, error, script }: Found, seed: number): void {
    this.#known.add(kind);
    const entry = { target: this.#target.name, seed, title: kind, script };
    say(`FINDING ${JSON.stringify(entry)}\n${error.stack ?? error.message}`);
  }

  async #report(world: World<never>): Promise<void> {
    const heap = await world.heap();
    const seeds = `seeds ${this.#from} to ${this.#seed - 1}`;
    const heapText = `${Math.round(heap / 1e6)} MB heap`;
    say(`${this.#target.name}: ${seeds}, ${this.#cases} cases, ${this.#known.size} findings, ${heapText}`);
    if (this.#heapAtFirst === 0) this.#heapAtFirst = heap;
    if (heap < this.#heapAtFirst + GROWTH_BYTES) return;
    this.#reportFinding({ kind: 'memory grows', error: new Error(heapText), script: null }, this.#seed);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
