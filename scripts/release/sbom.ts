import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listProductionPackages } from '../notices/production-packages.ts';

/** The parts of a CycloneDX document that are changed here. */
interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly scope?: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[] | undefined;
}

/** A package in the list of licenses of the pages. */
const BUNDLED_PACKAGE = /^ {2}(\S+) (\S+) \(.+\)$/gm;
/** npm's mark of a package that only a developer installs. The pages contain the code of some. */
const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * Lists what a release contains: the packages that an installation has, and those whose code is in the pages. npm writes
 * the document, with hashes and licenses from the lock file.
 *
 * @param root a checkout with built pages
 * @returns a CycloneDX document
 */
export function createSbom(root: string): Sbom {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const written = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], options);
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };
  return selectShipped(JSON.parse(written) as Sbom, name, [...listInstalled(root), ...listBundled(root)]);
}

/**
 * @param name of our own package: npm names the component after the folder of the checkout
 * @param shipped packages as `name@version`
 */
export function selectShipped(sbom: Sbom, name: string, shipped: readonly string[]): Sbom {
  const names = new Set(shipped);
  const components = sbom.components.filter((each) => names.delete(`${each.name}@${each.version}`));
  if (names.size > 0) throw new Error(`the SBOM of npm lacks ${[...names].join(', ')}: run "npm ci"`);
  const refs = new Set(components.map((each) => each['bom-ref']));
  const own = sbom.metadata.component;
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...own, name, type: 'application' } },
    components: components.map((each) => ({
      ...each,
      scope: 'required',
      properties: each.properties?.filter((property) => property.name !== DEVELOPMENT),
    })),
    dependencies: sbom.dependencies
      .filter(({ ref }) => ref === own['bom-ref'] || refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
}

function listInstalled(root: string): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  return listProductionPackages(root).map((folder) => {
    const path = folder.slice(root.length + 1);
    return `${path.replace(/.*node_modules\//, '')}@${lock.packages[path]?.version}`;
  });
}

/** Lists the packages whose code is in the console and the portal. */
function listBundled(root: string): string[] {
  const files = globSync('dist/*/licenses.txt', { cwd: root });
  if (files.length === 0) throw new Error(`${join(root, 'dist')} has no pages: run "npm run prepare"`);
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(BUNDLED_PACKAGE)].map(
      ([, name, version]) => `${name}@${version}`,
    ),
  );
}
