import { Faults } from '../../base/configuration-faults.ts';
import { parseYaml } from '../../base/yaml.ts';
import type { UpstreamDocument } from '../../openapi/upstream-document.ts';
import { parseSteps } from '../../openapi/pointer.ts';
import { isAnythingChecked, UpstreamValidation, type ValidationConfig } from './route-validation.ts';

/** The checks of an upstream, and what they leave out. */
export interface OpenedValidation {
  readonly validation: UpstreamValidation;
  /** The operations of which nothing is checked, as sentences. */
  readonly warnings: readonly string[];
}

/**
 * Opens the checks of an upstream. Their code is loaded only if it is used, to keep the start fast.
 *
 * @returns null if nothing is checked
 * @throws ConfigError if an operation cannot be checked whose requests would be refused
 */
export async function openValidation(config: ValidationConfig): Promise<OpenedValidation | null> {
  if (!isAnythingChecked(config)) return null;
  const { createDocumentValidator } = await import('../../openapi/validation/document-validator.ts');
  const validation = await UpstreamValidation.open(config, createDocumentValidator);
  const { unchecked } = validation;
  if (unchecked.length === 0) return { validation, warnings: [] };
  const locate = createLocate(config.document);
  const faults = new Faults();
  const warnings: string[] = [];
  for (const { operationId, pointer, reason, mode } of unchecked) {
    const name = `${operationId} ${pointer}`;
    if (mode === 'enforce') {
      faults.add(
        locate(pointer),
        name,
        `${reason}: change it, or set x-tollgate-validation of the operation to report`,
      );
    } else {
      warnings.push(`${locate(pointer)}: ${operationId} is not checked, because ${pointer} ${reason}`);
    }
  }
  faults.throwIfAny();
  return { validation, warnings };
}

/** Finds the line of a place in a document. With overlays or a conversion, the place may be elsewhere. */
function createLocate({ file, source }: UpstreamDocument): (pointer: string) => string {
  const yaml = parseYaml(file, source.text, new Faults());
  return (pointer) => (yaml === null ? file : yaml.locate(parseSteps(`#${pointer}`)));
}
