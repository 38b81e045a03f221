import { isVariable } from './interpolate.ts';
import type { Faults } from '../base/configuration-faults.ts';
import type { YamlFile } from '../base/yaml.ts';

/**
 * Checks that each OpenID Connect client secret is written as a variable. The schema cannot check that, because it sees
 * the values after variables are replaced.
 */
export function checkClientSecrets(yaml: YamlFile, faults: Faults): void {
  for (const listener of ['admin', 'portal']) {
    const clientSecret: unknown = Object(Object(Object(yaml.value)[listener]).oidc).clientSecret;
    if (typeof clientSecret !== 'string' || isVariable(clientSecret)) continue;
    faults.add(
      yaml.locate([listener, 'oidc', 'clientSecret']),
      `${listener}.oidc.clientSecret`,
      'must be ${NAME}, an environment variable: a secret in this file ends up in its copies and backups',
    );
  }
}
