import { StoreUnavailable } from '../admission/store.ts';
import type { Invalidation, Registry } from './registry.ts';

/** Stands in for a registry that cannot be opened yet. Until it can, everything is rejected with `StoreUnavailable`. */
export class LateRegistry implements Registry {
  readonly #listeners: ((what: Invalidation) => void)[] = [];
  #registry: Registry | null = null;

  get isOpen(): boolean {
    return this.#registry !== null;
  }

  /** From now on, this one answers. Whoever listens is told that anything may have changed. */
  open(registry: Registry): void {
    this.#registry = registry;
    for (const listener of this.#listeners) {
      registry.onInvalidation(listener);
      listener({ kind: 'all' });
    }
  }

  onInvalidation(listener: (what: Invalidation) => void): void {
    if (this.#registry !== null) this.#registry.onInvalidation(listener);
    else this.#listeners.push(listener);
  }

  readonly seedPlans: Registry['seedPlans'] = async (...all) => this.#opened().seedPlans(...all);
  readonly listPlans: Registry['listPlans'] = async () => this.#opened().listPlans();
  readonly getPlan: Registry['getPlan'] = async (...all) => this.#opened().getPlan(...all);
  readonly putPlan: Registry['putPlan'] = async (...all) => this.#opened().putPlan(...all);
  readonly deletePlan: Registry['deletePlan'] = async (...all) => this.#opened().deletePlan(...all);
  readonly createKey: Registry['createKey'] = async (...all) => this.#opened().createKey(...all);
  readonly createKeys: Registry['createKeys'] = async (...all) => this.#opened().createKeys(...all);
  readonly getKey: Registry['getKey'] = async (...all) => this.#opened().getKey(...all);
  readonly findKeyByHash: Registry['findKeyByHash'] = async (...all) => this.#opened().findKeyByHash(...all);
  readonly listKeys: Registry['listKeys'] = async (...all) => this.#opened().listKeys(...all);
  readonly updateKey: Registry['updateKey'] = async (...all) => this.#opened().updateKey(...all);
  readonly rotateKey: Registry['rotateKey'] = async (...all) => this.#opened().rotateKey(...all);
  readonly touchKeys: Registry['touchKeys'] = async (...all) => this.#opened().touchKeys(...all);
  readonly appendAudit: Registry['appendAudit'] = async (...all) => this.#opened().appendAudit(...all);
  readonly listAudit: Registry['listAudit'] = async (...all) => this.#opened().listAudit(...all);

  async close(): Promise<void> {
    await this.#registry?.close();
  }

  #opened(): Registry {
    if (this.#registry === null) throw new StoreUnavailable('Redis has not answered since this gateway was started');
    return this.#registry;
  }
}
