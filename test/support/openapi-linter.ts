import { createConfig, lint } from '@redocly/openapi-core';

/** Lints an OpenAPI document with the recommended rules; the findings, one line each. */
export async function lintDocument(file: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const findings = await lint({ ref: file, config });
  return findings.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
}
