import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../admission/decide.ts';
import type { OnStoreFailure, StoredPlan } from './registry.ts';

interface PlanRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly minute_limit: number | null;
  readonly day_limit: number | null;
  readonly custom: 0 | 1;
  readonly mode: Mode;
  readonly on_store_failure: OnStoreFailure;
  readonly revision: number;
}

export type PlanTable = ReturnType<typeof planTable>;

/** The table of plans: rows in and out, no rules. */
export function planTable(sqlite: DatabaseSync) {
  const all = sqlite.prepare('SELECT * FROM plans ORDER BY id');
  const byId = sqlite.prepare('SELECT * FROM plans WHERE id = ?');
  const upsert = sqlite.prepare(`
    INSERT OR REPLACE INTO plans
      (id, name, description, minute_limit, day_limit, custom, mode, on_store_failure, revision)
    VALUES
      (:id, :name, :description, :minute, :day, :custom, :mode, :onStoreFailure, :revision)`);
  const remove = sqlite.prepare('DELETE FROM plans WHERE id = ?');

  return {
    all: (): StoredPlan[] => (all.all() as unknown as PlanRow[]).map(planOf),
    get(id: string): StoredPlan | null {
      const row = byId.get(id) as unknown as PlanRow | undefined;
      return row === undefined ? null : planOf(row);
    },
    put({ id, name, description, limits, custom, mode, onStoreFailure, revision }: StoredPlan): void {
      const terms = { minute: limits?.minute ?? null, day: limits?.day ?? null, custom: custom ? 1 : 0 };
      upsert.run({ id, name, description, ...terms, mode, onStoreFailure, revision });
    },
    remove(id: string): void {
      remove.run(id);
    },
  };
}

function planOf(row: PlanRow): StoredPlan {
  const { id, name, description, minute_limit: minute, day_limit: day, mode, revision } = row;
  return {
    id,
    name,
    description,
    mode,
    revision,
    limits: minute === null || day === null ? null : { minute, day },
    custom: row.custom === 1,
    onStoreFailure: row.on_store_failure,
  };
}
