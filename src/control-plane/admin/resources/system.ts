import { ConfigError } from '../../../base/configuration-faults.ts';
import { MAX_DETAILS } from '../../../base/error-details.ts';
import { StartError } from '../../../base/error-types.ts';
import { toDateTime } from '../../../base/time.ts';
import type { Health } from './probes.ts';
import type { AdminOperations, Schemas } from './admin-handlers.ts';
import { Refused } from '../../api-server/refused.ts';
import { paginate } from '../../api-server/send-response.ts';
import type { ChangeContext } from '../../registry/audit-log.ts';
import type { ComponentReport } from '../../system/component-watch.ts';
import { computeDigest, findDifferentParts, findDrift } from '../../system/config-drift.ts';
import type { SeenGateway } from '../../system/heartbeat.ts';
import type { ReloadEffects } from '../../system/reload-effects.ts';
import type { System } from '../../system/system-info.ts';
import { createReloadReport, type ReportReads } from './reload-report.ts';

interface SystemOperationDependencies {
  readonly system: System;
  readonly health: () => Health;
  readonly listensAt: () => URL;
  readonly publicListensAt: () => string;
}

export function createSystemOperations(
  dependencies: SystemOperationDependencies,
): Pick<AdminOperations, 'getSystem' | 'getConfiguration' | 'listGateways'> {
  const { system } = dependencies;
  return {
    getSystem: () => ({ status: 200, body: toSystemJson(dependencies) }),

    getConfiguration: () => ({ status: 200, body: toConfigurationJson(system) }),

    async listGateways({ query }) {
      const gateways = await system.gateways();
      const current = gateways.find(({ id }) => id === system.gateway.id);
      const { items, nextCursor } = paginate('gateways', gateways, createSortKey, query);
      const body = {
        items: items.map((each) => toGatewayJson(each, current)),
        drift: toDriftJson(gateways),
        nextCursor,
      };
      return { status: 200, body };
    },
  };
}

function toSystemJson({ system, health, listensAt, publicListensAt }: SystemOperationDependencies): Schemas['System'] {
  const { id, host, version } = system.gateway;
  return {
    version,
    nodeVersion: process.versions.node,
    gateway: { id, host, startedAt: toDateTime(system.startedAt) },
    health: health(),
    listeners: { public: publicListensAt(), admin: listensAt().origin },
    components: system.components().map(toComponentJson),
    history: system.historyLag(),
  };
}

function toComponentJson({ name, kind, state, since, cause }: ComponentReport): Schemas['Component'] {
  return { name, kind, state, since: toDateTime(since), cause };
}

function toConfigurationJson({ file, settings }: System) {
  return { file, settings: settings() };
}

/** @param current the gateway that handles the request, if it has reported already */
function toGatewayJson(gateway: SeenGateway, current: SeenGateway | undefined): Schemas['Gateway'] {
  const { id, host, version, state, startedAt, lastSeenAt, config } = gateway;
  const times = { startedAt: toDateTime(startedAt), lastSeenAt: toDateTime(lastSeenAt) };
  const configuration =
    config === null
      ? null
      : {
          digest: computeDigest(config.parts),
          since: toDateTime(config.since),
          differs: findDifferentParts(gateway, current),
        };
  return { id, host, version, state, ...times, current: id === current?.id, configuration };
}

function toDriftJson(gateways: readonly SeenGateway[]): Schemas['ConfigurationDrift'] {
  const drift = findDrift(gateways);
  return drift === null ? null : { since: toDateTime(drift.since), parts: drift.parts };
}

/** A key that sorts gateways by start, latest first. */
function createSortKey({ startedAt, id }: SeenGateway): string {
  return `${String(Number.MAX_SAFE_INTEGER - startedAt).padStart(16, '0')} ${id}`;
}

/** The outcome of a reload. Settings are named as in `Setting.name`. */
export interface Reloaded {
  /** Settings that took effect with the reload. */
  readonly changed: readonly string[];
  /** Settings that changed but need a restart. */
  readonly restart: readonly string[];
  /** Problems that do not prevent the reload, and parts of it that were not done. */
  readonly warnings: readonly string[];
  /** All effects. Does not reject. */
  readonly effects: Promise<ReloadEffects>;
}

/** Reads the configuration again and applies it. */
export type ReloadConfiguration = (change: ChangeContext) => Promise<Reloaded>;

export function createConfigurationOperations(
  reload: ReloadConfiguration,
  reads: ReportReads,
): Pick<AdminOperations, 'reloadConfiguration'> {
  return {
    async reloadConfiguration({ change }) {
      try {
        const { changed, restart, warnings, effects } = await reload(change);
        return {
          status: 200,
          body: await createReloadReport(reads, { ...(await effects), changed, restart, warnings }),
        };
      } catch (error) {
        throw refuseInvalidConfiguration(error);
      }
    },
  };
}

/** @returns the refusal of a configuration that cannot be used; any other error as it is */
export function refuseInvalidConfiguration(error: unknown): unknown {
  if (!(error instanceof StartError)) return error;
  const messages = error instanceof ConfigError ? describeConfigError(error) : [error.message];
  return new Refused('configuration_invalid', { details: messages.map((message) => ({ path: '/', message })) });
}

const MAX_REMEDIES = 5;

/**
 * Lists the errors and some remedies. The number of details is limited, so errors may be left out to make room for
 * remedies.
 */
function describeConfigError({ faults, remedies }: ConfigError): readonly string[] {
  const listedRemedies = remedies.slice(0, MAX_REMEDIES);
  return [...faults.slice(0, MAX_DETAILS - listedRemedies.length), ...listedRemedies];
}
