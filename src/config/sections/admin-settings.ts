import { z } from 'zod';
import { count } from '../../base/units.ts';
import { ALWAYS } from '../always.ts';
import { isVariable } from '../interpolate.ts';
import { privateUrl } from '../private-url.ts';
import { tlsSchema } from '../listener-tls.ts';
import type { Faults } from '../../base/configuration-faults.ts';
import type { YamlFile } from '../../base/yaml-file.ts';

const text = z.string().min(1, 'must not be empty');
const names = z.array(text).default([]);

const oidc = z
  .strictObject({
    issuer: privateUrl,
    clientId: text,
    clientSecret: text,
    claim: text.default('groups'),
    admins: names,
    viewers: names,
  })
  .refine(({ admins, viewers }) => admins.length + viewers.length > 0, {
    path: ['admins'],
    message: 'must name somebody, or viewers must: else nobody may sign in',
  });

export const adminListenerSchema = z
  .strictObject({
    url: privateUrl.optional(),
    tls: tlsSchema,
    maxConnections: count.default(2000),
    maxConnectionsPerAddress: count.default(1000),
    oidc: oidc.optional(),
  })
  .refine((admin) => admin?.oidc === undefined || admin.url !== undefined, {
    ...ALWAYS,
    path: ['url'],
    message: 'is missing: with oidc, people come back to it from their provider',
  });

/** Checks what the schema cannot see: how the secrets of clients are written in the file. */
export function checkClientSecrets(yaml: YamlFile, faults: Faults): void {
  for (const listener of ['admin', 'portal']) {
    const written: unknown = Object(Object(Object(yaml.value)[listener]).oidc).clientSecret;
    if (typeof written !== 'string' || isVariable(written)) continue;
    faults.add(
      yaml.locate([listener, 'oidc', 'clientSecret']),
      `${listener}.oidc.clientSecret`,
      'must be ${NAME}, a variable of the environment: a secret in this file gets into copies and backups of it',
    );
  }
}
