/** Documents that others published are loaded, and the examples that they give for requests are valid. */
import { expect } from '@jest/globals';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { corpus, testWithCorpus } from '../../support/corpus.ts';
import { root } from '../../support/gateway/gateway.ts';
import { checkRequestExamples } from './request-examples.ts';

/** Examples that do not fit their own document, by document. Another validator (Ajv) agrees about each schema. */
const INVALID: Readonly<Record<string, readonly string[]>> = {
  'square/api.json': [
    'BulkCreateVendors: a required field is missing (ordinal)',
    'BulkPublishScheduledShifts: the whole request is missing',
    'BulkUpdateVendors: a required field is missing (vendor)',
    'CreateVendor: a required field is missing (ordinal)',
    'SearchCatalogItems: a number is not in quotes',
    'UpdateOrder: a required field is missing (location_id)',
  ],
  'xeroapi/xero-payroll-nz.yaml': [
    'createEmployeeLeaveType: a number is in quotes',
    'createEmployeePaymentMethod: a text is not in quotes',
    'createEmployeeWorkingPattern: a date has a time',
    'getEmployeeLeavePeriods: a date has no two-digit month',
    'updateEmployeeTax: a number is in quotes',
  ],
  'xeroapi/xero_accounting.yaml': [
    'createBankTransfer: a number is in quotes',
    'deletePayment: a required field is missing (Status)',
    'getContacts: a list of ids is in quotes',
    'getInvoices: a list of ids is in quotes',
    'getInvoices: a list of ids is in quotes',
    'updateBankTransaction: a required field is missing (LineItems)',
    'updateOrCreateBankTransactions: a required field is missing (LineItems)',
  ],
  '3.0/json/schema-validation.json': ['durations: "TBD"', 'json-pointer: a fragment of a URI'],
  '3.1/json/schema-validation-local.json': ['durations: "TBD"', 'json-pointer: a fragment of a URI'],
};

/**
 * Elasticsearch accepts more than its document describes: short forms of queries (`{"term": {"user.id": "kimchy"}}`), and
 * values of any type where the document has objects. Ajv refuses the same examples.
 */
const SHORT_FORMS = 'elastic/serverless.json';

/** Why an operation of these documents cannot be checked. Each is a fault of the document. */
const UNCHECKED = [
  '$recursiveRef is not supported: use $ref',
  '$ref refers to #/components/schemas/CatalogModifierToggleOverrideType, which does not exist',
  '$schema is not supported: only JSON Schema 2020-12 is',
  'exclusiveMinimum must be a number',
];

testWithCorpus(
  'at most 2 % of the request examples of public documents are invalid, for known reasons',
  async () => {
    const files = [
      ...globSync('documents/*/*.{json,yaml}', { cwd: corpus }).map((file) => join(corpus, file)),
      ...globSync('node_modules/@readme/oas-examples/{2.0,3.0,3.1}/**/*.json', { cwd: root }).map((file) =>
        join(root, file),
      ),
    ];
    const unexpected: string[] = [];
    const unchecked: string[] = [];
    let [examples, invalid] = [0, 0];
    for (const file of files) {
      const report = await checkRequestExamples(file);
      unchecked.push(...report.unchecked);
      if (file.endsWith(SHORT_FORMS)) {
        expect(report.invalid.length / report.examples).toBeLessThan(0.3);
        continue;
      }
      examples += report.examples;
      invalid += report.invalid.length;
      const [, expected = []] = Object.entries(INVALID).find(([name]) => file.endsWith(name)) ?? [];
      if (report.invalid.length !== expected.length) unexpected.push(file, ...report.invalid);
    }
    expect(unexpected).toEqual([]);
    expect(examples).toBeGreaterThan(1500);
    expect(invalid / examples).toBeLessThan(0.02);
    expect(new Set(unchecked.map((one) => one.replace(/^.*?: \S+\//, '')))).toEqual(new Set(UNCHECKED));
  },
  240_000,
);
