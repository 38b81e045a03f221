import { isDeepStrictEqual } from 'node:util';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { Config, FixedConfig, LiveConfig } from './config.ts';
import { joinSettings, findOpenedUpstream, type Setting } from './settings-in-force.ts';

/** The effects of a reload. Settings are named as in `Setting.name`. */
interface ConfigChanges {
  /** Settings that take effect with the reload. */
  readonly changed: readonly string[];
  /** Changed settings that take effect only after a restart. */
  readonly restart: readonly string[];
  /** The live settings after the reload. */
  readonly live: LiveConfig;
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
  compare(newConfig: Config): ConfigChanges {
    const [before, next] = [this.#live, newConfig.live];
    const keptModules = findRunningModules(before.upstreams, next.upstreams);
    const isKept = (setting: Setting) => keptModules.has(findOpenedUpstream(setting) ?? '');
    const liveDifferences = findDifferences(before.settings, next.settings);
    const restart = [
      ...findDifferences(this.fixed.settings, newConfig.fixed.settings),
      ...liveDifferences.filter(isKept),
    ];
    const changed = liveDifferences.filter((setting) => !isKept(setting));
    return {
      changed: [...new Set([...changed.map(({ name }) => name), ...findChangedFiles(before, next)])],
      restart: restart.map(({ name }) => name),
      live: {
        ...next,
        upstreams: next.upstreams.map((upstream) => ({ ...upstream, ...keptModules.get(upstream.name) })),
        settings: [...next.settings.filter((each) => !isKept(each)), ...before.settings.filter(isKept)],
      },
    };
  }
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
function findDifferences(before: readonly Setting[], next: readonly Setting[]): readonly Setting[] {
  const indexByName = (settings: readonly Setting[]) =>
    new Map(settings.filter(isSet).map((each) => [each.name, each]));
  const [beforeByName, nextByName] = [indexByName(before), indexByName(next)];
  return [...new Map([...nextByName, ...beforeByName]).values()].filter(
    ({ name }) => !isDeepStrictEqual(beforeByName.get(name)?.value, nextByName.get(name)?.value),
  );
}

/**
 * Whether a setting has a value. An empty list counts as not set, because each entry of a list is a setting of its own.
 */
function isSet({ value }: Setting): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** The settings that name a file whose content has changed. */
function findChangedFiles(before: LiveConfig, next: LiveConfig): string[] {
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
    ...(isSameAuthority ? [] : [`upstreams.${next.name}.tls.ca`]),
  ];
}

/** The certificate authorities of a service; undefined for a module. */
function getAuthorities({ service }: UpstreamConfig): string | null | undefined {
  return 'module' in service ? undefined : service.authorities;
}
