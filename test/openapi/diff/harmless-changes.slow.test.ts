/**
 * Some changes of public documents change nothing for callers: words, order, references, and the version of OpenAPI.
 * The comparison must report none of them.
 */
import { expect } from '@jest/globals';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Faults } from '../../../src/base/configuration-faults.ts';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import { compareDocuments } from '../../../src/openapi/diff/compare-documents.ts';
import { withNodesChanged } from '../../../src/openapi/document-nodes.ts';
import { dereferenced } from '../../../src/openapi/pointer.ts';
import { schemaConversion } from '../../../src/openapi/schema-conversion.ts';
import { readUpstreamDocument, type UpstreamDocument } from '../../../src/openapi/upstream-document.ts';
import { corpus, testWithCorpus } from '../../support/corpus.ts';
import { root } from '../../support/gateway/gateway.ts';

const WORDS = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'operationId',
]);

/** The changes that affect no call, by their kind. */
const CHANGES: Readonly<Record<string, (document: JsonObject) => JsonObject | Promise<JsonObject>>> = {
  nothing: (document) => document,
  words: (document) =>
    withNodesChanged(document, [(node) => Object.fromEntries(Object.entries(node).filter(([key]) => !WORDS.has(key)))]),
  order: (document) => reversed(document) as JsonObject,
  references: (document) => ({ ...document, paths: inlined(document, document['paths']) }),
  version: async (document) => {
    const conversion = schemaConversion(document);
    if (conversion === null) return document;
    const converted = await withNodesChanged(document, [
      conversion.change,
      (node) => (typeof node['$ref'] === 'string' ? { ...node, $ref: conversion.movedReference(node['$ref']) } : node),
    ]);
    return { ...converted, openapi: '3.1.1', webhooks: converted['x-webhooks'] ?? {} };
  },
};

/** Replaces references to schemas by the schemas. References inside these schemas stay. */
function inlined(document: JsonObject, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(document, one));
  if (!isObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') && Object.keys(value).length === 1) {
    return dereferenced(document, value) ?? value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inlined(document, one)]));
}

/** The lists whose order has no meaning. */
const SETS = new Set(['required', 'enum', 'type', 'parameters', 'security']);

function reversed(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((one) => reversed(one));
    return SETS.has(key) ? items.toReversed() : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, reversed(one, name)]),
  );
}

function read(file: string): UpstreamDocument {
  return readUpstreamDocument(file, {}, new Faults());
}

testWithCorpus(
  'harmless changes of public documents are no changes',
  async () => {
    const files = [
      ...globSync('documents/{box,elastic,openai}/*.{json,yaml}', { cwd: corpus }).map((file) => join(corpus, file)),
      join(root, 'node_modules/@blockfrost/openapi/openapi.yaml'),
    ];
    const found: string[] = [];
    let operations = 0;
    for (const file of files) {
      const document = read(file);
      operations += document.operations.length;
      for (const [what, change] of Object.entries(CHANGES)) {
        const changed = { ...document, value: await change(document.value) };
        const { changes, incomplete } = compareDocuments(document, changed);
        expect(incomplete).toBeNull();
        for (const { severity, pointer, message } of changes.slice(0, 5)) {
          found.push(`${file} ${what} ${severity} ${pointer} ${message}`);
        }
      }
    }
    expect(found).toEqual([]);
    expect(operations).toBeGreaterThan(1000);
  },
  240_000,
);
