/** Published documents of others can be loaded, and their examples of requests are valid. */
import { expect } from '@jest/globals';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { corpus, testWithCorpus } from '../../support/corpus.ts';
import { root } from '../../support/gateway/gateway.ts';
import { checkRequestExamples } from './request-examples.ts';

/**
 * Examples that do not fit their own document, by document: the operation and the reason. Other validators agree about
 * each of these examples and Elastic's: Ajv, and `jsonschema` for Python (except about durations, which it does not
 * check).
 */
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
  '3.0/json/schema-validation.json': [
    'GET /anything/jsonschema-formats: a duration is "TBD"',
    'GET /anything/jsonschema-formats: a JSON pointer is a fragment of a URI',
  ],
  '3.1/json/schema-validation-local.json': [
    'GET /anything/jsonschema-formats: a duration is "TBD"',
    'GET /anything/jsonschema-formats: a JSON pointer is a fragment of a URI',
  ],
};

/**
 * Elasticsearch accepts more than its document describes. Each row has a reason, the number of examples that are
 * invalid for this reason (several operations often share an example), and a pattern for their reports.
 */
const ELASTIC: readonly (readonly [reason: string, examples: number, report: RegExp])[] = [
  [
    'a query in its short form, such as {"term": {"user.id": "kimchy"}}, which the document does not describe',
    35,
    /\/(?:term|match|prefix)\/[^/]+ type must be an object/,
  ],
  [
    'a value of any type, such as a parameter of a script, which the document describes as an object',
    35,
    /\/(?:params\/\w+|set\/value|values\/\w+|metadata\/application|advanced_snippet\/value|docs\/0\/text|criteria\/0\/values\/0) type must be an object/,
  ],
  [
    'alternatives of a oneOf that overlap: the example fits more than one of them',
    18,
    /oneOf must match exactly one of the alternatives, but matches several/,
  ],
  ['a slice has a number where the document has a text', 7, /\/slice\/id type must be text/],
  ['a script is a text, which the document does not describe', 3, /\/script type must be an object/],
  [
    '_source is a list of names, but the document describes only true, false and an object',
    5,
    /\/_source oneOf must match exactly one of the alternatives$/,
  ],
  ['settings have null to reset them, which the document does not describe', 2, /\/refresh_interval oneOf must match/],
  ['the request of a custom service is a text', 5, /inference-put-custom body: \/service_settings\/request type/],
  ['a required field is missing', 8, / required is required$/],
  ['a value has another type than the document describes', 3, /(?:metadata\/version|detectors|owner) type must be/],
  ['a value of an enum is written in lower case', 1, /truncate enum must be one of END, NONE, START/],
];

/** Reasons why operations of these documents cannot be checked. Each is a fault of the document. */
const UNCHECKED = [
  '$recursiveRef is not supported: use $ref',
  '$ref refers to #/components/schemas/CatalogModifierToggleOverrideType, which does not exist',
  '$schema is not supported: only JSON Schema 2020-12 is',
  'exclusiveMinimum must be a number',
];

testWithCorpus(
  'at most 2 % of the request examples of public documents (except Elastic) are invalid, for known reasons',
  async () => {
    const files = [
      ...globSync('documents/*/*.{json,yaml}', { cwd: corpus }).map((file) => join(corpus, file)),
      ...['@readme/oas-examples/{2.0,3.0,3.1}/**/*.json', '@blockfrost/openapi/openapi.yaml']
        .flatMap((pattern) => globSync(`node_modules/${pattern}`, { cwd: root }))
        .map((file) => join(root, file)),
    ];
    const unexpected: string[] = [];
    const unchecked: string[] = [];
    let [examples, invalid] = [0, 0];
    const elastic = { examples: 0, invalid: 0 };
    for (const file of files) {
      const report = await checkRequestExamples(file);
      unchecked.push(...report.unchecked);
      if (file.endsWith('elastic/serverless.json')) {
        const reasonsByExample = report.invalid.map((one) => ELASTIC.filter(([, , report]) => report.test(one)));
        expect(report.invalid.filter((_, at) => reasonsByExample[at]?.length !== 1)).toEqual([]);
        const found = ELASTIC.map((row) => [
          row[0],
          reasonsByExample.filter((reasons) => reasons.includes(row)).length,
        ]);
        expect(found).toEqual(ELASTIC.map(([reason, count]) => [reason, count]));
        elastic.examples += report.examples;
        elastic.invalid += report.invalid.length;
        continue;
      }
      examples += report.examples;
      invalid += report.invalid.length;
      const [, expected = []] = Object.entries(INVALID).find(([name]) => file.endsWith(name)) ?? [];
      const operations = report.invalid.map((one) => one.replace(/ (?:body|\/(?:query|header|path)\/[^ ]+): .*$/, ''));
      const known = expected.map((one) => one.replace(/: .*$/, ''));
      if (!isDeepStrictEqual(operations.toSorted(), known.toSorted())) unexpected.push(file, ...report.invalid);
    }
    expect(unexpected).toEqual([]);
    // The documentation repeats these figures (docs/validation-rules.md).
    expect({ examples, invalid, elastic }).toEqual({
      examples: 1933,
      invalid: 22,
      elastic: { examples: 442, invalid: 122 },
    });
    expect(invalid / examples).toBeLessThan(0.02);
    expect(new Set(unchecked.map((one) => one.replace(/^.*?: \S+\//, '')))).toEqual(new Set(UNCHECKED));
  },
  240_000,
);
