import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRunning } from '../contenders/contender.ts';
import { type Compared, type InTurnSettings, measureInTurn, ratio, times } from '../in-turn.ts';
import { startGateway } from '../lab/gateway.ts';
import type { Lab } from '../lab/lab.ts';
import { markdown } from '../table.ts';
import { makeService } from './services.ts';

/** A gateway in front of made-up services. */
interface Installation {
  readonly title: string;
  readonly services: number;
  /** Number of operations of each service. */
  readonly operations: number;
  /** Whether requests use only one operation instead of all in turn. */
  readonly onlyOne?: boolean;
}

/**
 * Compares gateways in front of made-up services with the first of them. The services are called over HTTP, and the
 * store is embedded.
 */
export async function servicesInTurn(
  lab: Lab,
  inTurn: InTurnSettings,
  head: string,
  installations: readonly Installation[],
): Promise<string> {
  const measured = await measureInTurn(
    lab,
    installations.map((each) => asCompared(lab, each)),
    inTurn,
  );
  const rows = measured.map((each) => [each.title, times(each), ratio(each, measured[0]!).text]);
  return markdown([head, 'CPU µs/request', '/ the first'], rows);
}

function asCompared(lab: Lab, { title, services, operations, onlyOne = false }: Installation): Compared {
  const folder = lab.folder('services');
  const made = Array.from({ length: services }, (_, service) => {
    const paths = Array.from({ length: operations }, (_, index) => `/service${service}/resource${index}/{petId}`);
    return makeService(folder, { name: `service${service}`, target: lab.upstream.url, paths });
  });
  const paths = made.flatMap((service) => service.paths);
  const pathFile = join(folder, 'paths.txt');
  writeFileSync(pathFile, `${(onlyOne ? paths.slice(-1) : paths).join('\n')}\n`);
  return {
    title,
    requests: { pathFile },
    async start() {
      const settings = { upstreams: made.map(({ upstream }) => upstream) };
      const gateway = await startGateway(lab, { store: 'embedded', upstream: 'http', settings });
      const url = `${gateway.publicUrl}${paths[0]}`;
      return { ...asRunning(gateway, await gateway.createKey()), url };
    },
  };
}
