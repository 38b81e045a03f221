import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Plan } from '../../../control-plane/registry/plans/plan.ts';
import { connect } from '../../admin/api.ts';
import { UsageFailure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { printJson } from '../../output/json.ts';
import { applyDiff, presentPlans } from '../../plan-apply.ts';
import { previewText } from '../../plan-preview.ts';
import { diffPlans, diffText, type PlanDiff } from '../../plan-diff.ts';
import { REASON, adminCommand, type ReasonOption, type AdminCommandOptions } from '../../admin-command.ts';

interface Options extends AdminCommandOptions, ReasonOption {
  readonly prune?: true;
  readonly yes?: true;
}

export function plansApply(io: Io): Command {
  return adminCommand(
    'apply',
    'make the plans those of a file: show what would change, ask, and do it',
    'plans apply config/plans.yaml',
    'plans apply config/plans.yaml --prune --yes --reason "prices of 2027"',
  )
    .argument('<file>', 'YAML, such as config/plans.yaml')
    .option('--prune', 'delete the plans that the file does not name')
    .option('--yes', 'do not ask')
    .option(...REASON)
    .action((file: string, options: Options) => apply(io, file, options));
}

async function apply(io: Io, file: string, options: Options): Promise<void> {
  const json = options.json === true;
  const wanted = await readFile(io, file);
  const api = connect(io);
  const present = await presentPlans(api);
  const diff = diffPlans(
    wanted,
    [...present.values()].map(({ plan }) => plan),
    options.prune === true,
  );
  const nothing = diff.added.length + diff.changed.length + diff.deleted.length === 0;
  const asks = !nothing && options.yes !== true;
  // With --json, standard output holds only the document: what the question is about goes to standard error.
  const tell = (text: string) => (json ? io.err(text) : io.out(text));
  if (asks || !json) tell(diffText(diff));
  if (asks) tell(await previewText(api, diff, io.columns));
  const applied = !nothing && (await agreed(io, options));
  if (applied) await applyDiff(api, diff, present, options.reason);
  if (json) return printJson(io, { applied, ...inShort(diff) });
  io.out(nothing ? 'Nothing to change.\n' : applied ? 'Applied.\n' : 'Nothing was changed.\n');
}

async function readFile(io: Io, file: string): Promise<readonly Plan[]> {
  const { readPlansFile } = await import('../../plan-file.ts');
  return readPlansFile(resolve(io.cwd, file), io.env);
}

async function agreed(io: Io, { yes }: Options): Promise<boolean> {
  if (yes === true) return true;
  if (io.ask === null) throw new UsageFailure('nothing was changed: without a terminal to ask at, --yes is needed');
  return /^y(es)?$/i.test((await io.ask('Apply this? [y/N] ')).trim());
}

function inShort({ added, changed, deleted, kept, unchanged }: PlanDiff) {
  const ids = (plans: readonly Plan[]) => plans.map(({ id }) => id);
  return {
    added: ids(added),
    changed: changed.map(({ plan, fields }) => ({ id: plan.id, fields })),
    deleted: ids(deleted),
    kept: ids(kept),
    unchanged: ids(unchanged),
  };
}
