import { isDeepStrictEqual } from 'node:util';
import type { UpstreamConfig } from '../data-plane/upstreams/open-upstream.ts';
import type { Config, Fixed, Live } from './config.ts';
import { joinSettings, openedService, type Setting } from './settings-in-force.ts';

/** The effects of a reload. Settings are named as in `Setting.name`. */
interface Changes {
  /** Settings that take effect with the reload. */
  readonly changed: readonly string[];
  /** Changed settings that take effect only after a restart. */
  readonly restart: readonly string[];
  /** The live settings after the reload. */
  readonly live: Live;
}

/** The configuration in force. A reload replaces its live settings and nothing else. */
export class InForce {
  readonly fixed: Fixed;
  #live: Live;

  constructor({ fixed, live }: Config) {
    this.fixed = fixed;
    this.#live = live;
  }

  get live(): Live {
    return this.#live;
  }

  replace(live: Live): void {
    this.#live = live;
  }

  get settings(): readonly Setting[] {
    return joinSettings(this.fixed.settings, this.#live.settings);
  }

  /** Compares the configuration in force with a new one. */
  compare(read: Config): Changes {
    const [before, next] = [this.#live, read.live];
    const kept = runningModules(before.upstreams, next.upstreams);
    const isKept = (setting: Setting) => kept.has(openedService(setting) ?? '');
    const differing = differences(before.settings, next.settings);
    const restart = [...differences(this.fixed.settings, read.fixed.settings), ...differing.filter(isKept)];
    const changed = differing.filter((setting) => !isKept(setting));
    return {
      changed: [...new Set([...changed.map(({ name }) => name), ...changedFiles(before, next)])],
      restart: restart.map(({ name }) => name),
      live: {
        ...next,
        upstreams: next.upstreams.map((upstream) => ({ ...upstream, ...kept.get(upstream.name) })),
        settings: [...next.settings.filter((each) => !isKept(each)), ...before.settings.filter(isKept)],
      },
    };
  }
}

/**
 * The modules that continue to run after a reload, by upstream. A running module keeps the settings with which it was
 * created, even if they have changed in the file.
 */
function runningModules(before: readonly UpstreamConfig[], next: readonly UpstreamConfig[]) {
  const modules = next.filter(({ service }) => 'module' in service).map(({ name }) => name);
  const running = before.filter(({ name, service }) => 'module' in service && modules.includes(name));
  return new Map(running.map(({ name, service }) => [name, { service }]));
}

/** @returns settings that were added, changed or removed */
function differences(before: readonly Setting[], next: readonly Setting[]): readonly Setting[] {
  const byName = (settings: readonly Setting[]) => new Map(settings.filter(isSet).map((each) => [each.name, each]));
  const [namedBefore, namedNext] = [byName(before), byName(next)];
  return [...new Map([...namedNext, ...namedBefore]).values()].filter(
    ({ name }) => !isDeepStrictEqual(namedBefore.get(name)?.value, namedNext.get(name)?.value),
  );
}

/**
 * Whether a setting has a value. An empty list counts as not set, because each entry of a list is a setting of its own.
 */
function isSet({ value }: Setting): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** The settings that name a file whose content has changed. */
function changedFiles(before: Live, next: Live): string[] {
  const known = new Map(before.upstreams.map((upstream) => [upstream.name, upstream]));
  const ofUpstreams = next.upstreams.flatMap((upstream) => {
    const same = known.get(upstream.name);
    return same === undefined ? [] : filesChangedBetween(same, upstream);
  });
  return [
    ...(isDeepStrictEqual(before.plans, next.plans) ? [] : ['plans']),
    ...(isDeepStrictEqual(before.portal.pages, next.portal.pages) ? [] : ['portal.pages']),
    ...ofUpstreams,
  ];
}

function filesChangedBetween(before: UpstreamConfig, next: UpstreamConfig): string[] {
  const isSameDocument = before.document.source.text === next.document.source.text;
  const isSameAuthority = authorities(before) === authorities(next);
  return [
    ...(isSameDocument ? [] : [`upstreams.${next.name}.openapi`]),
    ...(isDeepStrictEqual(before.document.source.overlays, next.document.source.overlays)
      ? []
      : [`upstreams.${next.name}.overlays`]),
    ...(isSameAuthority ? [] : [`upstreams.${next.name}.tls.ca`]),
  ];
}

/** The certificate authorities of a service; undefined for a module. */
function authorities({ service }: UpstreamConfig): string | null | undefined {
  return 'module' in service ? undefined : service.authorities;
}
