import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { Deployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Service, ServiceAccount } from 'kubernetes-models/v1';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/load.ts';
import { drainLimitMs } from '../../src/config/listener-settings.ts';
import { Faults } from '../../src/base/configuration-faults.ts';
import { root } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Kustomize itself is not here: resources are put together as its strategic merge does, as far as these files use it. */
const folder = join(root, 'deploy/kubernetes');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
interface Kustomization {
  readonly resources: readonly string[];
  readonly patches?: readonly { readonly path: string }[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[];
}
interface Checked {
  validate(): void;
}

const KINDS: Readonly<Record<string, new (manifest: never) => Checked>> = {
  Deployment,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
};

const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');
const kustomization = (of: string) => parse(read(of, 'kustomization.yaml')) as Kustomization;

function manifestsOf(overlay: string): Manifest[] {
  const { resources, patches = [] } = kustomization(overlay);
  const manifests = resources.flatMap((resource) =>
    resource.startsWith('../')
      ? manifestsOf(resource.slice('../'.length))
      : parseAllDocuments(read(overlay, resource)).map((document) => document.toJS() as Manifest),
  );
  return patches.reduce((list, { path }) => {
    const patch = parse(read(overlay, path)) as Manifest;
    const at = list.findIndex(({ kind, metadata }) => kind === patch.kind && metadata.name === patch.metadata.name);
    expect(at).not.toBe(-1);
    return list.with(at, merged(list[at], patch) as Manifest);
  }, manifests);
}

/** Objects are merged by field, lists of named things by name; null removes. */
function merged(base: unknown, patch: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(patch)) return mergedLists(base, patch);
  if (typeof base !== 'object' || base === null || typeof patch !== 'object' || patch === null) return patch;
  const fields = Object.entries(patch).map(([name, value]) => [name, merged(Reflect.get(base, name), value)] as const);
  return Object.fromEntries(Object.entries({ ...base, ...Object.fromEntries(fields) }).filter(([, to]) => to !== null));
}

function mergedLists(base: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const nameOf = (item: unknown) => (item as { name?: string }).name;
  const kept = base.map((item) => {
    const change = patch.find((each) => nameOf(each) !== undefined && nameOf(each) === nameOf(item));
    return change === undefined ? item : merged(item, change);
  });
  return [...kept, ...patch.filter((each) => !base.some((item) => nameOf(item) === nameOf(each)))];
}

interface PodOwner extends Manifest {
  readonly spec: {
    readonly replicas: number;
    readonly strategy: { readonly type: string; readonly rollingUpdate?: { readonly maxSurge: number } };
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly env: readonly { name: string; value: string }[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

function deploymentOf(overlay: string): PodOwner {
  return manifestsOf(overlay).find(({ kind }) => kind === 'Deployment') as PodOwner;
}

function configOf(overlay: string) {
  const temporary = tempFolder();
  try {
    const file = join(temporary.path, 'gateway.yaml');
    // In the image, the project is in /app.
    writeFileSync(file, read(overlay, 'gateway.yaml').replaceAll('/app/', `${root}/`));
    return loadConfig({ TOLLGATE_CONFIG: file, TOLLGATE_ADMIN_TOKEN: 'a-token-of-32-characters-at-least' }, root);
  } finally {
    temporary.remove();
  }
}

describe.each(['fleet', 'single'])('deploy/kubernetes/%s', (overlay) => {
  test('is made of files that are there, and nothing else', () => {
    const { resources, patches = [], configMapGenerator = [] } = kustomization(overlay);
    const files = [
      ...resources,
      ...patches.map(({ path }) => path),
      ...configMapGenerator.flatMap(({ files: of }) => of),
    ];
    expect(files.filter((file) => !existsSync(join(folder, overlay, file)))).toEqual([]);
  });

  test('holds to the schemas that Kubernetes publishes', () => {
    for (const manifest of manifestsOf(overlay)) {
      const Kind = KINDS[manifest.kind];
      if (Kind === undefined) throw new Error(`${manifest.kind} is not checked: add it to KINDS`);
      expect(() => new Kind(manifest as never).validate()).not.toThrow();
      const wrong = { ...manifest, metadata: { ...manifest.metadata, labels: 1 } };
      expect(() => new Kind(wrong as never).validate()).toThrow();
    }
  });

  test('its labels, ports, volumes and variables meet', () => {
    const { selector, template } = deploymentOf(overlay).spec;
    const [container] = template.spec.containers;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    const volumes = template.spec.volumes.map(({ name }) => name);
    expect(container?.volumeMounts.map(({ name }) => name).filter((name) => !volumes.includes(name))).toEqual([]);
    const ports = new Set(container?.ports.map(({ name }) => name));
    const used = manifestsOf(overlay)
      .filter(({ kind, metadata }) => kind === 'Service' && metadata.name.startsWith('tollgate'))
      .flatMap((service) => (Object(service)['spec'].ports as { targetPort: string }[]).map((port) => port.targetPort));
    expect(used.filter((port) => !ports.has(port))).toEqual([]);
    const faults = new Faults();
    const variables = container?.env.filter(({ name }) => !name.endsWith('_FILE')) ?? [];
    readEnvironment(Object.fromEntries(variables.map(({ name, value }) => [name, value])), faults);
    expect(() => faults.throwIfAny()).not.toThrow();
    const { configMapGenerator = [] } = kustomization(overlay);
    expect(configMapGenerator.map(({ name }) => name)).toEqual(['tollgate']);
  });

  test('its configuration has no fault, and drains within the time that the pod is given', () => {
    const { drain, replicas } = configOf(overlay);
    const { spec } = deploymentOf(overlay);
    expect(drainLimitMs(drain)).toBeLessThan(spec.template.spec.terminationGracePeriodSeconds * 1000);
    expect(replicas).toBe(spec.replicas + (spec.strategy.rollingUpdate?.maxSurge ?? 0));
  });
});

test('a gateway with files of its own never runs beside another with the same', () => {
  expect(deploymentOf('single').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  const [, , data] = deploymentOf('single').spec.template.spec.volumes;
  expect(data).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'tollgate' } });
});

test('nobody in a pod can become more than they are', () => {
  const { spec } = deploymentOf('fleet').spec.template;
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  });
});

test('the network policy admits any pod with the label for the admin listener, such as Prometheus', () => {
  const policy = manifestsOf('fleet').find(({ kind }) => kind === 'NetworkPolicy') as NetworkPolicy;
  const admin = policy.spec?.ingress?.find(({ ports }) => ports?.some(({ port }) => port === 'admin'));
  expect(admin?.from).toEqual([
    { podSelector: { matchLabels: { 'tollgate.io/admin': 'true' } }, namespaceSelector: {} },
  ]);
  // Kustomize would add labels with `includeSelectors` to this selector, too.
  for (const overlay of ['base', 'fleet', 'single'])
    expect(read(overlay, 'kustomization.yaml')).not.toMatch(/^labels:/m);
});

test('the fleet brings the service that its configuration names', () => {
  const [upstream] = configOf('fleet').upstreams;
  const target = new URL((upstream as { targets?: readonly string[] }).targets?.[0] ?? '');
  const service = manifestsOf('fleet').find(
    ({ kind, metadata: { name } }) => kind === 'Service' && name === target.hostname,
  );
  expect(Object(service)['spec'].ports).toMatchObject([{ port: Number(target.port) }]);
});

test('the Service and the network policy expose the portal only if the configuration turns it on', () => {
  for (const overlay of ['fleet', 'single']) {
    const portal = configOf(overlay).portal.enabled;
    const ports = manifestsOf(overlay)
      .filter(({ kind, metadata }) => kind === 'Service' && metadata.name === 'tollgate')
      .flatMap((service) => (Object(service)['spec'].ports as { name: string }[]).map(({ name }) => name));
    expect({ overlay, exposed: ports.includes('portal') }).toEqual({ overlay, exposed: portal });
  }
});
