import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/**
 * @param root the folder of package-lock.json
 * @returns the folders of the packages that `npm ci --omit=dev --omit=optional` installs
 */
export function listProductionPackages(root: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const isInstalled = ({ dev, optional, devOptional }: LockedPackage) => !(dev || optional || devOptional);
  return Object.entries(packages)
    .filter(([path, locked]) => path !== '' && isInstalled(locked))
    .map(([path]) => join(root, path));
}
