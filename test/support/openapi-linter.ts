import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Lints an OpenAPI document with the recommended rules. Returns one line per finding. */
export async function lintDocument(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lintFromString({ source: JSON.stringify(document), config });
  return findings.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
}
