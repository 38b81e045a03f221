import { formatPointerStep } from '../../base/json.ts';
import type { Evaluated } from './evaluated.ts';
import type { JsonValue, TypeName } from './read-json.ts';
import type { Violation } from './validation.ts';

/** More violations are not listed. A hostile body can have any number of them. */
export const MAX_VIOLATIONS = 100;
/**
 * The number of steps that one check may take, at roughly 100 ns each. Schemas with alternatives that refer to themselves
 * can take time that is exponential in the depth of a body.
 */
export const MAX_STEPS = 80_000;
/** References and alternatives within each other use the stack. */
const MAX_NESTING = 800;

/** A schema of the document that can be checked. */
export interface Schema {
  /**
   * @param seen collects the parts of the value that this schema evaluates; null if nothing needs to know them
   * @throws TooComplex
   */
  check(value: JsonValue, run: Run, seen: Evaluated | null): boolean;
  /** The types that a valid value may have. */
  types(): ReadonlySet<TypeName>;
  /** The names of properties that are `readOnly` in this schema, or in another that applies to the same value. */
  readOnlyNames(): ReadonlySet<string>;
}

/** Thrown by a check that takes too long. */
export class TooComplex extends Error {
  constructor() {
    super('takes too long to check, because it has too many values or matches too many alternatives');
  }
}

/** The state of one check: where it is, and what it has found. */
export class Run {
  readonly violations: Violation[] = [];
  /** The outermost schema that applies to the current value. */
  location: Schema | null = null;
  readonly #base: string;
  readonly #steps: string[] = [];
  readonly #isDeclared: boolean[] = [];
  readonly #reported = new Set<string>();
  #stepsLeft: number;
  #nesting = 0;
  #trials = 0;

  /** @param base the start of all paths, such as `/query/limit`; empty for a body */
  constructor(base = '', steps = MAX_STEPS) {
    this.#base = base;
    this.#stepsLeft = steps;
  }

  /** Whether the first violation decides, because this is only a trial or no more violations are listed. */
  get stopsEarly(): boolean {
    return this.#trials > 0 || this.violations.length >= MAX_VIOLATIONS;
  }

  /** @throws TooComplex */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new TooComplex();
  }

  /** @throws TooComplex */
  enter(): void {
    this.spend(1);
    if (++this.#nesting > MAX_NESTING) throw new TooComplex();
  }

  leave(): void {
    this.#nesting--;
  }

  /** Checks whether a value is valid, without reporting violations. */
  matches(node: Schema, value: JsonValue, seen: Evaluated | null): boolean {
    this.#trials++;
    const isValid = node.check(value, this, seen);
    this.#trials--;
    return isValid;
  }

  /** Checks whether a part of the current value is valid, without reporting violations. */
  matchesBelow(step: string | number, node: Schema, value: JsonValue): boolean {
    this.#trials++;
    const isValid = this.below(step, false, node, value);
    this.#trials--;
    return isValid;
  }

  /**
   * Checks a part of the current value.
   *
   * @param isDeclared whether the step is a name that the document declares
   */
  below(step: string | number, isDeclared: boolean, node: Schema, value: JsonValue): boolean {
    const { location } = this;
    this.location = node;
    this.#push(step, isDeclared);
    const isValid = node.check(value, this, null);
    this.#pop();
    this.location = location;
    return isValid;
  }

  /** Reports that the current value is invalid. @returns false */
  fail(rule: string, message: string): false {
    if (this.stopsEarly) return false;
    const path = this.#base + this.#steps.map(formatPointerStep).join('');
    const key = `${path}\n${rule}`;
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    const rulePath =
      this.#base +
      this.#steps.map((step, index) => (this.#isDeclared[index] === true ? formatPointerStep(step) : '/*')).join('');
    this.violations.push({ path, rulePath, rule, message });
    return false;
  }

  /** Reports that a part of the current value is missing or not allowed. @returns false */
  failBelow(step: string, isDeclared: boolean, rule: string, message: string): false {
    this.#push(step, isDeclared);
    this.fail(rule, message);
    this.#pop();
    return false;
  }

  #push(step: string | number, isDeclared: boolean): void {
    this.#steps.push(step as string);
    this.#isDeclared.push(isDeclared);
  }

  #pop(): void {
    this.#steps.pop();
    this.#isDeclared.pop();
  }
}
