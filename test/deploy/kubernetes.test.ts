import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, PersistentVolumeClaim, Service, ServiceAccount } from 'kubernetes-models/v1';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/load.ts';
import { computeDrainLimitMs } from '../../src/config/drain-settings.ts';
import { Faults } from '../../src/base/configuration-faults.ts';
import { root } from '../support/gateway/gateway.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = join(root, 'deploy/kubernetes');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}
interface Checked {
  validate(): void;
}

const KINDS: Readonly<Record<string, new (manifest: never) => Checked>> = {
  ConfigMap,
  Deployment,
  HTTPRoute,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
  ServiceMonitor,
};

const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');

/** The manifests that `kubectl apply -k` would send to a cluster. */
function rendered(path: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return manifestsIn(text);
}

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

const overlays = new Map(['fleet', 'single'].map((overlay) => [overlay, rendered(join(folder, overlay))]));
const getManifests = (overlay: string) => overlays.get(overlay)!;

const optional = readdirSync(join(folder, 'optional')).map(
  (file) => [file, manifestsIn(read('optional', file))] as const,
);

function find(manifests: readonly Manifest[], kind: string, name: string) {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

interface ServiceManifest extends Manifest {
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
  };
}
interface Autoscaler extends Manifest {
  readonly spec: { readonly scaleTargetRef: { readonly kind: string; readonly name: string } };
}
interface Monitor extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly endpoints: readonly { readonly port: string }[];
  };
}
interface IngressManifest extends Manifest {
  readonly spec: {
    readonly rules: readonly {
      readonly http: {
        readonly paths: readonly {
          readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
        }[];
      };
    }[];
  };
}
interface Route extends Manifest {
  readonly spec: {
    readonly rules: readonly { readonly backendRefs: readonly { readonly name: string; readonly port: number }[] }[];
  };
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
          readonly image: string;
          readonly env: readonly { name: string; value: string }[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
        }[];
        readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
      };
    };
  };
}

function findDeployment(overlay: string): PodOwner {
  return find(getManifests(overlay), 'Deployment', 'tollgate') as PodOwner;
}

function readConfig(overlay: string) {
  const temporary = tempFolder();
  try {
    const file = join(temporary.path, 'gateway.yaml');
    // The image has the project in /app.
    writeFileSync(file, read(overlay, 'gateway.yaml').replaceAll('/app/', `${root}/`));
    return loadConfig({ TOLLGATE_CONFIG: file, TOLLGATE_ADMIN_TOKEN: 'a-token-of-32-characters-at-least' }, root);
  } finally {
    temporary.remove();
  }
}

function expectValid(manifest: Manifest): void {
  const Kind = KINDS[manifest.kind];
  if (Kind === undefined) throw new Error(`${manifest.kind} is not checked: add it to KINDS`);
  expect(() => new Kind(manifest as never).validate()).not.toThrow();
  const wrong = { ...manifest, metadata: { ...manifest.metadata, labels: 1 } };
  expect(() => new Kind(wrong as never).validate()).toThrow();
}

describe.each(['fleet', 'single'])('deploy/kubernetes/%s', (overlay) => {
  test('matches the schemas published by Kubernetes', () => {
    for (const manifest of getManifests(overlay)) expectValid(manifest);
  });

  test('has consistent labels, ports, volumes and variables', () => {
    const { selector, template } = findDeployment(overlay).spec;
    const [container] = template.spec.containers;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    const volumes = template.spec.volumes.map(({ name }) => name);
    expect(container?.volumeMounts.map(({ name }) => name).filter((name) => !volumes.includes(name))).toEqual([]);
    const ports = new Set(container?.ports.map(({ name }) => name));
    const used = getManifests(overlay)
      .filter(({ kind, metadata }) => kind === 'Service' && metadata.name.startsWith('tollgate'))
      .flatMap((service) => (Object(service)['spec'].ports as { targetPort: string }[]).map((port) => port.targetPort));
    expect(used.filter((port) => !ports.has(port))).toEqual([]);
    const faults = new Faults();
    const variables = container?.env.filter(({ name }) => !name.endsWith('_FILE')) ?? [];
    readEnvironment(Object.fromEntries(variables.map(({ name, value }) => [name, value])), faults);
    expect(() => faults.throwIfAny()).not.toThrow();
    const config = template.spec.volumes.find(({ name }) => name === 'config')?.configMap?.name ?? '';
    // The name contains a hash of the content, so that a change replaces the pods.
    expect(config).toMatch(/^tollgate-[a-z0-9]{10}$/);
    expect(find(getManifests(overlay), 'ConfigMap', config)).toMatchObject({
      data: { 'gateway.yaml': read(overlay, 'gateway.yaml') },
    });
  });

  test("has a valid configuration and drains within the pod's grace period", () => {
    const { drain, replicas } = readConfig(overlay).fixed;
    const { spec } = findDeployment(overlay);
    expect(computeDrainLimitMs(drain)).toBeLessThan(spec.template.spec.terminationGracePeriodSeconds * 1000);
    expect(replicas).toBe(spec.replicas + (spec.strategy.rollingUpdate?.maxSurge ?? 0));
  });
});

test('two gateways with SQLite never run on the same volume', () => {
  expect(findDeployment('single').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  const data = findDeployment('single').spec.template.spec.volumes.find(({ name }) => name === 'data');
  expect(data).toEqual({ name: 'data', persistentVolumeClaim: { claimName: 'tollgate' } });
});

test('containers cannot gain privileges', () => {
  const { spec } = findDeployment('fleet').spec.template;
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

test('the network policy allows any labeled pod, such as Prometheus, to reach the admin listener', () => {
  const policy = getManifests('fleet').find(({ kind }) => kind === 'NetworkPolicy') as NetworkPolicy;
  const admin = policy.spec?.ingress?.find(({ ports }) => ports?.some(({ port }) => port === 'admin'));
  expect(admin?.from).toEqual([
    { podSelector: { matchLabels: { 'tollgate.io/admin': 'true' } }, namespaceSelector: {} },
  ]);
});

test("the fleet's manifests include the service of their upstream", () => {
  const [upstream] = readConfig('fleet').live.upstreams;
  const target = new URL((upstream?.service as { targets?: readonly string[] } | undefined)?.targets?.[0] ?? '');
  const service = getManifests('fleet').find(
    ({ kind, metadata: { name } }) => kind === 'Service' && name === target.hostname,
  );
  expect(Object(service)['spec'].ports).toMatchObject([{ port: Number(target.port) }]);
});

test('the Service and the network policy expose the portal only if the configuration enables it', () => {
  for (const overlay of ['fleet', 'single']) {
    const portal = readConfig(overlay).fixed.portal.enabled;
    const ports = getManifests(overlay)
      .filter(({ kind, metadata }) => kind === 'Service' && metadata.name === 'tollgate')
      .flatMap((service) => (Object(service)['spec'].ports as { name: string }[]).map(({ name }) => name));
    expect({ overlay, exposed: ports.includes('portal') }).toEqual({ overlay, exposed: portal });
  }
});

describe('deploy/kubernetes/optional', () => {
  const one = (file: string): unknown => optional.find(([name]) => name === file)?.[1][0];

  test.each(optional)('%s matches its published schema', (_, manifests) => {
    for (const manifest of manifests) expectValid(manifest);
  });

  test('can be added to the resources of an overlay', () => {
    const temporary = tempFolder();
    try {
      cpSync(folder, temporary.path, { recursive: true });
      const all = join(temporary.path, 'all');
      mkdirSync(all);
      for (const [file] of optional) cpSync(join(temporary.path, 'optional', file), join(all, file));
      const resources = optional.map(([file]) => file);
      writeFileSync(join(all, 'kustomization.yaml'), stringify({ bases: ['../fleet'], resources }));
      expect(rendered(all)).toHaveLength(getManifests('fleet').length + resources.length);
    } finally {
      temporary.remove();
    }
  });

  test('refers to existing Deployments and Services of the fleet', () => {
    const fleet = getManifests('fleet');
    const services = fleet.filter(({ kind }) => kind === 'Service') as ServiceManifest[];
    const findPorts = (name: string) => (find(fleet, 'Service', name) as ServiceManifest).spec.ports;
    const { kind, name } = (one('horizontal-pod-autoscaler.yaml') as Autoscaler).spec.scaleTargetRef;
    find(fleet, kind, name);
    const { selector, endpoints } = (one('service-monitor.yaml') as Monitor).spec;
    const monitored = services.filter(({ metadata: { labels } }) =>
      Object.entries(selector.matchLabels).every(([label, value]) => labels?.[label] === value),
    );
    const withPort = monitored.filter(({ spec }) => spec.ports.some((port) => port.name === endpoints[0]?.port));
    expect(withPort.map(({ metadata }) => metadata.name)).toEqual(['tollgate-admin']);
    const { backend } = (one('ingress.yaml') as IngressManifest).spec.rules[0]!.http.paths[0]!;
    expect(findPorts(backend.service.name).map((port) => port.name)).toContain(backend.service.port.name);
    const [route] = (one('gateway-api.yaml') as Route).spec.rules[0]!.backendRefs;
    expect(findPorts(route!.name).map(({ port }) => port)).toContain(route!.port);
  });

  test("the migration runs the fleet's image with the fleet's secret", () => {
    const { template } = (one('migrate.yaml') as PodOwner).spec;
    const gateway = findDeployment('fleet').spec.template;
    expect(template.spec.containers[0]?.image).toBe(gateway.spec.containers[0]?.image);
    expect(template.spec.containers[0]?.env.map(({ name }) => name)).toEqual(['TOLLGATE_DATABASE_FILE']);
    // The pods of the migration are not gateways, so no Service or disruption budget may select them.
    expect(template.metadata.labels).not.toMatchObject(findDeployment('fleet').spec.selector.matchLabels);
  });

  test('the egress policy applies to gateways and allows the example service', () => {
    const policy = one('egress-policy.yaml') as NetworkPolicy;
    expect(policy.spec?.podSelector).toEqual(findDeployment('fleet').spec.selector);
    const petstore = (find(getManifests('fleet'), 'Service', 'petstore') as ServiceManifest).spec;
    expect(policy.spec?.egress).toContainEqual({
      to: [{ podSelector: { matchLabels: petstore.selector } }],
      ports: [{ port: petstore.ports[0]?.targetPort }],
    });
  });
});
