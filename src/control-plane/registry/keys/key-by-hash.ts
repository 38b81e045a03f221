import type { CompiledQuery, InferResult } from 'kysely';
import type { Queries } from '../../../storage/tables.ts';
import { planOf } from '../plans/plan-rows.ts';
import type { KeyWithPlan } from './key.ts';
import { keyOf } from './key-rows.ts';

type Row = InferResult<ReturnType<typeof selectByHash>>[number];

/**
 * By database. Building and compiling this query takes longer than running it on SQLite, and with more keys in use than
 * are cached, every request waits for one.
 */
const compiled = new WeakMap<Queries, CompiledQuery<Row>>();

/** Reads key and plan in one query, so that they are consistent. */
export async function keyByHash(queries: Queries, hash: string): Promise<KeyWithPlan | null> {
  let query = compiled.get(queries);
  if (query === undefined) compiled.set(queries, (query = selectByHash(queries, hash).compile()));
  // The hash is its only parameter.
  const { rows } = await queries.executeQuery<Row>({ ...query, parameters: [hash] });
  const row = rows[0];
  if (row === undefined) return null;
  const { plan_id, plan_name, plan_description, plan_custom, plan_mode, plan_on_store_failure, ...rest } = row;
  const { plan_minute_limit: minute_limit, plan_day_limit: day_limit, plan_revision, ...keyRow } = rest;
  const key = keyOf(keyRow);
  if (plan_id === null) return { key, plan: null };
  const plan = planOf({
    id: plan_id,
    name: plan_name ?? '',
    description: plan_description ?? '',
    minute_limit,
    day_limit,
    custom: plan_custom ?? 0,
    mode: plan_mode ?? '',
    on_store_failure: plan_on_store_failure ?? '',
    revision: plan_revision ?? 0,
  });
  return { key, plan };
}

function selectByHash(queries: Queries, hash: string) {
  return queries
    .selectFrom('keys')
    .leftJoin('plans', 'plans.id', 'keys.plan')
    .selectAll('keys')
    .select([
      'plans.id as plan_id',
      'plans.name as plan_name',
      'plans.description as plan_description',
      'plans.minute_limit as plan_minute_limit',
      'plans.day_limit as plan_day_limit',
      'plans.custom as plan_custom',
      'plans.mode as plan_mode',
      'plans.on_store_failure as plan_on_store_failure',
      'plans.revision as plan_revision',
    ])
    .where('keys.hash', '=', hash);
}
