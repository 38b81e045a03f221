/** Finds the effects that a reload would have, by comparing the configuration in force with the one in the files. */
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findNearest } from '../base/portable/nearest.ts';
import { pauseIfDue } from '../base/pause-if-due.ts';
import { decidePlan, listChangedPlans } from '../control-plane/registry/plans-in-file.ts';
import {
  type ChangedFile,
  MAX_LISTED,
  type OperationEffect,
  type PlanEffect,
  type ReloadEffects,
  type Subjects,
  type UnmatchedSelector,
} from '../control-plane/system/reload-effects.ts';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { Plan } from '../domain/plan.ts';
import { listSelectors } from '../openapi/operation-selectors.ts';
import type { Operation } from '../openapi/openapi.ts';
import type { FixedConfig, LiveConfig } from './config.ts';
import { compareConfigs, type ComparedConfig } from './in-force.ts';
import { readCertificates, type LoadedFile } from './loaded-files.ts';
import { compareOperations } from './operation-effects.ts';
import { listPageFiles } from './team-pages.ts';

/** The configuration in force, as far as it is compared. */
export interface PreviousConfig {
  readonly fixed: Pick<FixedConfig, 'settings'>;
  readonly live: ComparedConfig['live'];
  /** The small files that it was read from, and the certificates in use. */
  readonly files: readonly LoadedFile[];
}

/** The configuration that the files have now. */
export interface NextConfig {
  readonly fixed: Pick<FixedConfig, 'admin' | 'file' | 'files' | 'portal' | 'settings' | 'tls'>;
  readonly live: LiveConfig;
}

/** The nearest selector is searched for this many; each search takes up to 50 ms with 5,000 operations. */
const MAX_NEAREST = 50;
/** Candidates between two pauses. */
const NEAREST_STEP = 50;

/**
 * @param before documents that have not changed must be the same objects as in `next`
 * @param subjects the plans and keys in the database
 */
export async function findReloadEffects(
  before: PreviousConfig,
  next: NextConfig,
  subjects: Subjects,
): Promise<ReloadEffects> {
  const { changed, restart, listChangedSettings } = compareConfigs(before, next);
  const plans = findPlanEffects(before.live.plans, next.live.plans, subjects);
  const { items, opened, incomplete } = compareOperations(before.live.upstreams, next.live.upstreams);
  const count = (change: OperationEffect['change']) =>
    items.filter((each) => each.change === change && each.operation !== null).length;
  const selectors = await findUnmatchedSelectors(before.live, next.live, plans, subjects);
  const isCut = items.length > MAX_LISTED || opened.length > MAX_LISTED || selectors.length > MAX_LISTED;
  return {
    changed,
    restart,
    settings: listChangedSettings(),
    warnings: next.live.warnings,
    files: findChangedFiles(before, next, new Set(restart)),
    operations: {
      added: count('added'),
      removed: count('removed'),
      changed: count('changed'),
      items: items.slice(0, MAX_LISTED),
    },
    opened: opened.slice(0, MAX_LISTED),
    selectors: selectors.slice(0, MAX_LISTED),
    plans,
    incomplete: [
      ...incomplete,
      ...subjects.incomplete,
      ...(isCut ? [`of operations and selectors, only the first ${MAX_LISTED} are listed`] : []),
    ],
  };
}

function findPlanEffects(before: readonly Plan[], read: readonly Plan[], { plans, areKnown }: Subjects): PlanEffect[] {
  return listChangedPlans({ before, read }).flatMap((plan): PlanEffect[] => {
    if (!areKnown) return [{ plan, stored: null, outcome: 'applied' }];
    const stored = plans.find(({ id }) => id === plan.id);
    const decided = decidePlan(plan, { before, read }, stored);
    return decided === null ? [] : [{ ...decided, stored: stored ?? null }];
  });
}

/** Lists the selectors of plans and keys that match no operation after the reload. */
async function findUnmatchedSelectors(
  before: Pick<LiveConfig, 'upstreams'>,
  next: Pick<LiveConfig, 'upstreams'>,
  planEffects: readonly PlanEffect[],
  { plans, keys }: Subjects,
): Promise<UnmatchedSelector[]> {
  const applied = planEffects.filter(({ outcome }) => outcome === 'applied').map(({ plan }) => plan);
  const appliedIds = new Set(applied.map(({ id }) => id));
  const laterPlans: readonly Plan[] = [...plans.filter(({ id }) => !appliedIds.has(id)), ...applied];
  const holders = [
    ...laterPlans.map(({ id, operations }) => ({ kind: 'plan' as const, id, operations })),
    ...keys.map(({ id, operations }) => ({ kind: 'key' as const, id, operations })),
  ].filter(({ operations }) => operations !== null && operations.length > 0);
  if (holders.length === 0) return [];
  const selectable = listSelectors(listOperations(next));
  const [matchingNow, matchingLater] = [new Set(listSelectors(listOperations(before))), new Set(selectable)];
  const nearest = new Map<string, string | null>();
  const unmatched: UnmatchedSelector[] = [];
  for (const { kind, id, operations } of holders) {
    for (const selector of operations ?? []) {
      if (matchingLater.has(selector)) continue;
      if (!nearest.has(selector) && nearest.size < MAX_NEAREST)
        nearest.set(selector, await findNearestInSteps(selector, selectable));
      const matchesNow = matchingNow.has(selector);
      unmatched.push({ kind, id, selector, nearest: nearest.get(selector) ?? null, matchesNow });
    }
    await pauseIfDue();
  }
  // Selectors that the reload breaks come first.
  return unmatched.toSorted((one, other) => Number(other.matchesNow) - Number(one.matchesNow));
}

/** Like `findNearest`, but lets requests be served in between. */
async function findNearestInSteps(given: string, known: readonly string[]): Promise<string | null> {
  const winners: string[] = [];
  for (let start = 0; start < known.length; start += NEAREST_STEP) {
    const winner = findNearest(given, known.slice(start, start + NEAREST_STEP));
    if (winner !== null) winners.push(winner);
    await pauseIfDue();
  }
  return findNearest(given, winners);
}

function listOperations({ upstreams }: Pick<LiveConfig, 'upstreams'>): Operation[] {
  return upstreams.flatMap(({ document }) => document.operations);
}

function findChangedFiles(before: PreviousConfig, next: NextConfig, restart: ReadonlySet<string>): ChangedFile[] {
  const files = [
    ...findChangedDocuments(before.live.upstreams, next.live.upstreams),
    ...findChangedPlansFile(before.live, next),
    ...findChangedPages(before.live, next),
    ...findChangedAuthorities(before.live.upstreams, next.live.upstreams),
    ...findChangedLoadedFiles(before.files, next),
  ];
  return files.map((file) => (restart.has(file.setting) ? { ...file, effect: 'restart' } : file));
}

function findChangedDocuments(before: readonly UpstreamConfig[], next: readonly UpstreamConfig[]): ChangedFile[] {
  return next.flatMap(({ name, document, candidateDocument }): ChangedFile[] => {
    const previous = before.find((upstream) => upstream.name === name);
    const overlays = document.source.overlays.map(({ file, text }, index): ChangedFile | null =>
      previous?.document.source.overlays[index]?.text === text
        ? null
        : { kind: 'overlay', setting: `upstreams.${name}.overlays`, path: file, effect: 'reload' },
    );
    return [
      ...(previous?.document.source.text === document.source.text
        ? []
        : [listFile('document', `upstreams.${name}.openapi`, document.file)]),
      ...overlays.filter((each) => each !== null),
      ...(candidateDocument && previous?.candidateDocument?.source.text !== candidateDocument.source.text
        ? [listFile('candidate', `upstreams.${name}.candidate`, candidateDocument.file)]
        : []),
    ];
  });
}

function listFile(kind: ChangedFile['kind'], setting: string, path: string): ChangedFile {
  return { kind, setting, path, effect: 'reload' };
}

function findChangedPlansFile(before: ComparedConfig['live'], { fixed, live }: NextConfig): ChangedFile[] {
  if (isDeepStrictEqual(before.plans, live.plans)) return [];
  return [listFile('plans', 'plans', resolveSetting(fixed.file, live, 'plans'))];
}

/** Returns the absolute path that a setting names. */
function resolveSetting(configFile: string, { settings }: LiveConfig, name: string): string {
  const value = settings.find((setting) => setting.name === name)?.value;
  return resolve(dirname(configFile), typeof value === 'string' ? value : '');
}

/** A page that was removed has no file any more, so the path has its name. */
function findChangedPages(before: ComparedConfig['live'], { fixed, live }: NextConfig): ChangedFile[] {
  const was = new Map(before.portal.pages.map((page) => [page.name, page]));
  const is = new Map(live.portal.pages.map((page) => [page.name, page]));
  const names = [...new Set([...is.keys(), ...was.keys()])];
  const changed = names.filter((name) => !isDeepStrictEqual(was.get(name), is.get(name)));
  if (changed.length === 0) return [];
  const folder = resolveSetting(fixed.file, live, 'portal.pages');
  const files = is.size === 0 ? new Map<string, string>() : listPageFiles(folder);
  return changed.map((name) => listFile('page', 'portal.pages', files.get(name) ?? join(folder, name)));
}

function findChangedAuthorities(before: readonly UpstreamConfig[], next: readonly UpstreamConfig[]): ChangedFile[] {
  return next.flatMap(({ name, service }) => {
    if ('module' in service || service.tls?.ca === undefined) return [];
    const previous = before.find((upstream) => upstream.name === name)?.service;
    const was = previous === undefined || 'module' in previous ? null : previous.authorities;
    if (was === service.authorities) return [];
    return [listFile('certificate', `upstreams.${name}.tls.ca`, service.tls.ca)];
  });
}

function findChangedLoadedFiles(before: readonly LoadedFile[], { fixed, live }: NextConfig): ChangedFile[] {
  const digests = new Map(before.map(({ setting, digest }) => [setting, digest]));
  const changed = (files: readonly LoadedFile[], effect: ChangedFile['effect']) =>
    files
      .filter(({ setting, digest }) => digests.get(setting) !== digest)
      .map(({ kind, setting, path }): ChangedFile => ({ kind, setting, path, effect }));
  return [
    ...changed(live.files, 'reload'),
    ...changed(fixed.files, 'restart'),
    ...changed(readCertificates(fixed, live.upstreams), 'automatic'),
  ];
}
