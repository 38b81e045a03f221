import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readEnvironment } from '../../src/config/environment.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { Faults } from '../../src/base/configuration-faults.ts';
import { root } from '../support/gateway/gateway.ts';

interface Service {
  readonly build?: string | { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: { readonly test: readonly unknown[] };
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const { services } = compose;
const gatewayNames = Object.keys(services).filter((name) => name.startsWith('gateway'));

/** Lists the paths that are copied from the build context, not from other stages. */
function copiedBy(dockerfile: string): string[] {
  const copies = read(dockerfile).matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm);
  return [...copies].flatMap(([, files = '']) => files.split(' '));
}

/**
 * Lists the top-level folders and files below /app of the image. They are those that the stage copies which creates
 * this folder.
 */
function inImage(dockerfile: string): Set<string> {
  const stage =
    read(dockerfile)
      .split(/^FROM /m)
      .find((each) => / AS app\n/.test(each)) ?? '';
  const copies = stage.matchAll(/^COPY (?:--\S+ )*(.+) \S+$/gm);
  const files = [...copies].flatMap(([, names = '']) => names.split(' '));
  return new Set(files.map((file) => file.replace(/^\/app\//, '').split('/')[0] ?? ''));
}

/** Loads the configuration of the gateways in the containers. */
function shippedConfig(): Config {
  const env = {
    TOLLGATE_CONFIG: 'deploy/gateway.yaml',
    TOLLGATE_ADMIN_TOKEN: 'a token of 32 characters at least'.replaceAll(' ', '-'),
    TOLLGATE_DATABASE: 'postgres://tollgate:given@postgres/tollgate',
    TOLLGATE_STORE: 'redis://redis',
  };
  return loadConfig(env, root);
}

describe('docker-compose.yml and Dockerfile', () => {
  test('work from a checkout that only its owner can read', () => {
    // A mounted file keeps its mode. Neither the gateway nor HAProxy could once read its configuration, and both kept
    // restarting. In an image, chown or chmod makes the files readable.
    const sources = Object.values(services).flatMap(({ volumes = [] }) => volumes);
    expect(sources.filter((source) => /^[./]/.test(source))).toEqual([]);
    expect(read('deploy/balancer.Dockerfile')).toMatch(/^COPY --chown=haproxy haproxy.cfg /m);
    const opened = /chmod -R a\+rX (.+) &&/.exec(read('Dockerfile'))?.[1]?.split(' ');
    const readByRootOnly = new Set(['package-lock.json', '.npmrc']);
    expect(new Set(opened)).toEqual(inImage('Dockerfile').difference(readByRootOnly));
    for (const name of gatewayNames) {
      const config = services[name]?.environment?.['TOLLGATE_CONFIG']?.replace('/app/', '');
      expect(copiedBy('Dockerfile')).toContain(config);
      expect(read('.dockerignore').split('\n')).toContain(`!${config}`);
    }
  });

  test('set only variables that the gateway knows', () => {
    const variables = Object.fromEntries(
      [...read('Dockerfile').matchAll(/(TOLLGATE_\w+)=(\S+)/g)].map(([, k, v]) => [k, v]),
    );
    for (const name of gatewayNames) {
      const faults = new Faults();
      readEnvironment(
        {
          ...variables,
          ...services[name]?.environment,
          TOLLGATE_ADMIN_TOKEN: 'a token of 32 characters at least'.replaceAll(' ', '-'),
        },
        faults,
      );
      expect(() => faults.throwIfAny()).not.toThrow();
    }
  });

  test('have a valid configuration', () => {
    expect(shippedConfig().fixed.replicas).toBe(gatewayNames.length);
  });

  test('run as a user other than root, with a command that receives signals', () => {
    // The user is numeric, because Kubernetes must know before the start that it is not root.
    expect(read('Dockerfile')).toMatch(/^USER 1000:1000$/m);
    // The first process of a container must handle signals from its start. Node does not, so tini is the first process.
    expect(read('Dockerfile')).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m);
    expect(read('Dockerfile')).toMatch(/^CMD \["node", "\/app\/src\/main.ts"\]$/m);
  });

  test('require exactly two secrets', () => {
    const required = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect(new Set(required)).toEqual(new Set(['POSTGRES_PASSWORD', 'TOLLGATE_ADMIN_TOKEN']));
  });

  test('do not let consumers forge their address', () => {
    const balancer = read('deploy/haproxy.cfg');
    expect(balancer).toMatch(/^ +http-request set-header X-Forwarded-For %\[src\]$/m);
    expect(balancer).not.toContain('forwardfor');
  });

  test('wait for healthy dependencies, and have a health check for each of them', () => {
    for (const { depends_on: needed = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(needed)) {
        expect(condition).toBe('service_healthy');
        expect(services[name]).toHaveProperty('healthcheck');
      }
    }
    expect(gatewayNames).toHaveLength(2);
    for (const name of gatewayNames) expect(read('deploy/haproxy.cfg')).toContain(`server ${name} ${name}:8080`);
  });

  test('route the portal to any gateway, at the address of its links', () => {
    const balancer = read('deploy/haproxy.cfg');
    for (const name of gatewayNames) expect(balancer).toContain(`server ${name} ${name}:8082`);
    const published = new Map(
      services['balancer']?.ports?.map((port) => port.split(':').slice(-2) as [string, string]),
    );
    const { fixed, live } = shippedConfig();
    for (const [url, port] of [
      [fixed.portal.url, '8082'],
      [live.portal.apiUrl, '8080'],
    ] as const) {
      expect(balancer).toMatch(new RegExp(`^ +bind :${port}$`, 'm'));
      expect(published.get(new URL(url ?? '').port)).toBe(port);
    }
    expect(fixed.portal.enabled).toBe(true);
    expect(read('Dockerfile')).toMatch(/^EXPOSE 8080 8081 8082$/m);
  });
});
