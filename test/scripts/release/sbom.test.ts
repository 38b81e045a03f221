import { expect, test } from '@jest/globals';
import { readNotice } from '../../../scripts/notices/notices.ts';
import { listProductionPackages } from '../../../scripts/notices/production-packages.ts';
import { createSbom, selectShipped } from '../../../scripts/release/sbom.ts';
import { root } from '../../support/gateway/gateway.ts';

test('the SBOM lists the installed packages and those in the pages, but no development tools', () => {
  const { metadata, components, dependencies } = createSbom(root);
  expect(metadata.component).toMatchObject({ name: 'tollgate', type: 'application' });
  const names = components.map(({ name, version }) => `${name}@${version}`);
  const installed = listProductionPackages(root).map(readNotice);
  expect(names).toEqual(expect.arrayContaining(installed.map(({ name, version }) => `${name}@${version}`)));
  const bare = components.map(({ name }) => name);
  expect(bare).toEqual(expect.arrayContaining(['react', '@fontsource-variable/inter']));
  expect(bare).not.toContain('jest');
  expect(bare).not.toContain('typescript');
  expect(new Set(components.map(({ scope }) => scope))).toEqual(new Set(['required']));
  const refs = new Set(components.map((each) => each['bom-ref']));
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
});

test('a package that npm does not list is reported as an error', () => {
  const component = { 'bom-ref': 'own', name: 'folder', version: '1.0.0', type: 'library' };
  const sbom = { metadata: { component }, components: [], dependencies: [] };
  expect(() => selectShipped(sbom, 'tollgate', ['left@1.0.0'])).toThrow('the SBOM of npm lacks left@1.0.0');
});
