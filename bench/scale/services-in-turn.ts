import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toRunningContender } from '../contenders/contender.ts';
import { type ComparedServer, type InTurnOptions, measureInTurn, computeRatio, formatTimes } from '../in-turn.ts';
import { startGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { formatTable } from '../table.ts';
import { makeService } from './services.ts';

/** A gateway in front of made-up services. */
interface Installation {
  readonly title: string;
  readonly services: number;
  /** Number of operations of each service. */
  readonly measureOperations: number;
  /** Whether requests use only one operation instead of all in turn. */
  readonly usesOnlyOne?: boolean;
}

/**
 * Compares gateways in front of made-up services with the first of them. The services are called over HTTP, and the
 * store is embedded.
 */
export async function compareServices(
  lab: Lab,
  inTurn: InTurnOptions,
  head: string,
  installations: readonly Installation[],
): Promise<string> {
  const measured = await measureInTurn(
    lab,
    installations.map((each) => toComparedServer(lab, each)),
    inTurn,
  );
  const rows = measured.map((each) => [each.title, formatTimes(each), computeRatio(each, measured[0]!).text]);
  return formatTable([head, 'CPU µs/request', '/ the first'], rows);
}

function toComparedServer(
  lab: Lab,
  { title, services, measureOperations: operations, usesOnlyOne: onlyOne = false }: Installation,
): ComparedServer {
  const folder = lab.folder('services');
  const madeServices = Array.from({ length: services }, (_, service) => {
    const paths = Array.from({ length: operations }, (_, index) => `/service${service}/resource${index}/{petId}`);
    return makeService(folder, { name: `service${service}`, target: lab.upstream.url, paths });
  });
  const paths = madeServices.flatMap((service) => service.paths);
  const pathFile = join(folder, 'paths.txt');
  writeFileSync(pathFile, `${(onlyOne ? paths.slice(-1) : paths).join('\n')}\n`);
  return {
    title,
    requests: { pathFile },
    async start() {
      const settings = { upstreams: madeServices.map(({ upstream }) => upstream) };
      const gateway = await startGateway(lab, { store: 'embedded', upstream: 'http', settings });
      const url = `${gateway.publicUrl}${paths[0]}`;
      return { ...toRunningContender(gateway, await gateway.createKey()), url };
    },
  };
}
