import { isDeepStrictEqual } from 'node:util';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { Config, FixedConfig, LiveConfig } from './config.ts';
import { joinSettings, findOpenedUpstream, redactSetting, type Setting } from './settings-in-force.ts';
import type { ChangedSetting } from '../control-plane/system/reload-effects.ts';

/** The parts of a configuration that are compared. */
export interface ComparedConfig {
  readonly fixed: Pick<FixedConfig, 'settings'>;
  readonly live: Pick<LiveConfig, 'plans' | 'settings' | 'upstreams'> & {
    readonly portal: Pick<LiveConfig['portal'], 'pages'>;
  };
}

/** The effects of a reload. Settings are named as in `Setting.name`. */
interface ConfigChanges<Live> {
  /** Settings that take effect with the reload. */
  readonly changed: readonly string[];
  /** Changed settings that take effect only after a restart. */
  readonly restart: readonly string[];
  /** The values of the changed settings, in the order of their names in `changed` and `restart`. */
  readonly listChangedSettings: () => readonly ChangedSetting[];
  /** The live settings after the reload. */
  readonly live: Live;
}

/** The configuration in force. A reload replaces its live settings and nothing else. */
export class ConfigInForce {
  readonly fixed: FixedConfig;
  #live: LiveConfig;

  constructor({ fixed, live }: Config) {
    this.fixed = fixed;
    this.#live = live;
  }

  get live(): LiveConfig {
    return this.#live;
  }

  replace(live: LiveConfig): void {
    this.#live = live;
  }

  get settings(): readonly Setting[] {
    return joinSettings(this.fixed.settings, this.#live.settings);
  }

  /** Compares the configuration in force with a new one. */
  compare(newConfig: Config): ConfigChanges<LiveConfig> {
    return compareConfigs({ fixed: this.fixed, live: this.#live }, newConfig);
  }
}

/** Compares a configuration in force with a new one. */
export function compareConfigs<Next extends ComparedConfig>(
  { fixed, live: before }: ComparedConfig,
  newConfig: Next,
): ConfigChanges<Next['live']> {
  const next: Next['live'] = newConfig.live;
  const keptModules = findRunningModules(before.upstreams, next.upstreams);
  const isKept = (setting: Pick<Setting, 'name'>) => keptModules.has(findOpenedUpstream(setting) ?? '');
  const liveDifferences = findDifferences(before.settings, next.settings);
  const restart = [...findDifferences(fixed.settings, newConfig.fixed.settings), ...liveDifferences.filter(isKept)];
  const changed = liveDifferences.filter((difference) => !isKept(difference));
  return {
    changed: [...new Set([...changed.map(({ name }) => name), ...findChangedFiles(before, next)])],
    restart: restart.map(({ name }) => name),
    listChangedSettings: () => [...changed.map(toChangedSetting(false)), ...restart.map(toChangedSetting(true))],
    live: {
      ...next,
      upstreams: next.upstreams.map((upstream) => ({ ...upstream, ...keptModules.get(upstream.name) })),
      settings: [...next.settings.filter((each) => !isKept(each)), ...before.settings.filter(isKept)],
    },
  };
}

interface Difference {
  readonly name: string;
  /** Undefined if the setting was not set. */
  readonly before: Setting | undefined;
  /** Undefined if the setting is not set any more. */
  readonly next: Setting | undefined;
}

function toChangedSetting(needsRestart: boolean) {
  return ({ name, before, next }: Difference): ChangedSetting => {
    const [was, is] = [before, next].map((setting) => setting && redactSetting(setting));
    const secret = was?.secret === true || is?.secret === true;
    return { name, before: was?.value ?? null, after: is?.value ?? null, secret, restart: needsRestart };
  };
}

/**
 * The modules that continue to run after a reload, by upstream. A running module keeps the settings with which it was
 * created, even if they have changed in the file.
 */
function findRunningModules(before: readonly UpstreamConfig[], next: readonly UpstreamConfig[]) {
  const modules = next.filter(({ service }) => 'module' in service).map(({ name }) => name);
  const running = before.filter(({ name, service }) => 'module' in service && modules.includes(name));
  return new Map(running.map(({ name, service }) => [name, { service }]));
}

/** @returns settings that were added, changed or removed */
function findDifferences(before: readonly Setting[], next: readonly Setting[]): readonly Difference[] {
  const indexByName = (settings: readonly Setting[]) =>
    new Map(settings.filter(isSet).map((each) => [each.name, each]));
  const [beforeByName, nextByName] = [indexByName(before), indexByName(next)];
  return [...new Set([...nextByName.keys(), ...beforeByName.keys()])]
    .map((name) => ({ name, before: beforeByName.get(name), next: nextByName.get(name) }))
    .filter((each) => !isDeepStrictEqual(each.before?.value, each.next?.value));
}

/**
 * Whether a setting has a value. An empty list or map counts as not set, because each entry is a setting of its own.
 */
function isSet({ value }: Setting): boolean {
  return value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);
}

/** The settings that name a file whose content has changed. */
function findChangedFiles(before: ComparedConfig['live'], next: ComparedConfig['live']): string[] {
  const previousByName = new Map(before.upstreams.map((upstream) => [upstream.name, upstream]));
  const upstreamFiles = next.upstreams.flatMap((upstream) => {
    const previous = previousByName.get(upstream.name);
    return previous === undefined ? [] : findChangedUpstreamFiles(previous, upstream);
  });
  return [
    ...(isDeepStrictEqual(before.plans, next.plans) ? [] : ['plans']),
    ...(isDeepStrictEqual(before.portal.pages, next.portal.pages) ? [] : ['portal.pages']),
    ...upstreamFiles,
  ];
}

function findChangedUpstreamFiles(before: UpstreamConfig, next: UpstreamConfig): string[] {
  const isSameDocument = before.document.source.text === next.document.source.text;
  const isSameAuthority = getAuthorities(before) === getAuthorities(next);
  return [
    ...(isSameDocument ? [] : [`upstreams.${next.name}.openapi`]),
    ...(isDeepStrictEqual(before.document.source.overlays, next.document.source.overlays)
      ? []
      : [`upstreams.${next.name}.overlays`]),
    ...(isSameCandidate(before, next) ? [] : [`upstreams.${next.name}.candidate`]),
    ...(isSameAuthority ? [] : [`upstreams.${next.name}.tls.ca`]),
  ];
}

/** Whether the candidate has the same text. It has the overlays of the document, which are compared on their own. */
function isSameCandidate(before: UpstreamConfig, next: UpstreamConfig): boolean {
  return before.candidateDocument?.source.text === next.candidateDocument?.source.text;
}

/** The certificate authorities of a service; undefined for a module. */
function getAuthorities({ service }: UpstreamConfig): string | null | undefined {
  return 'module' in service ? undefined : service.authorities;
}
