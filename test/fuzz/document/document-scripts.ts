import * as fc from 'fast-check';
import { KEYS, MARKDOWN, RAW, REFERENCES, TEXTS, VALUES } from './hostile.ts';

/** The replacement for a node: a value, raw YAML, or a reference. */
export type Written =
  | { readonly value: unknown }
  | { readonly raw: string }
  | { readonly ref: string }
  /** A reference to the node with this number, which may contain the reference. */
  | { readonly refTo: number };

/** A change to a document. `at` and `of` are indexes into the document's nodes, modulo their number. */
export type Edit =
  | { readonly do: 'replace'; readonly at: number; readonly with: Written }
  | { readonly do: 'insert'; readonly at: number; readonly key: string; readonly with: Written }
  | { readonly do: 'rename'; readonly at: number; readonly key: string }
  | { readonly do: 'delete' | 'repeat'; readonly at: number }
  /** Wraps the node in this many levels of lists or maps. */
  | { readonly do: 'nest'; readonly at: number; readonly levels: number; readonly in: 'list' | 'map' }
  /** Replaces the node by an alias of another node, which may contain it. */
  | { readonly do: 'alias'; readonly at: number; readonly of: number }
  | { readonly do: 'copy'; readonly at: number; readonly of: number }
  /** Adds this many entries. */
  | { readonly do: 'grow'; readonly at: number; readonly times: number };

/** A change to the text. Its place is `at` thousandths of the length, plus `plus` characters. */
export interface TextEdit {
  readonly at: number;
  readonly plus: number;
  readonly removed: number;
  readonly inserted: string;
}

const BASES = [
  'clock',
  'contract',
  'lifecycle',
  'publishing',
  'everything',
  'swagger',
  'petstore',
  'configuration',
  'plans',
] as const;

export interface DocumentScript {
  /** The file to change: an OpenAPI document, the configuration or the plans. */
  readonly base: (typeof BASES)[number];
  readonly edits: readonly Edit[];
  readonly texts: readonly TextEdit[];
  /** The `validation` of the fuzzed upstream; undefined: off. */
  readonly validation?: 'report' | 'enforce';
  /**
   * Says whether a gateway is started too: no gateway, one in the process of the checker, or one in a new process. A
   * start is slow.
   */
  readonly start: 'not' | 'here' | 'process';
}

const place = fc.nat(5000);

const written: fc.Arbitrary<Written> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...VALUES).map((value) => ({ value })) },
  { weight: 2, arbitrary: fc.constantFrom(...RAW).map((raw) => ({ raw })) },
  { weight: 2, arbitrary: fc.constantFrom(...REFERENCES).map((ref) => ({ ref })) },
  { weight: 1, arbitrary: place.map((refTo) => ({ refTo })) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => ({ value })) },
);

const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<string>(...KEYS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);

/** Inserts a text that the portal shows. */
function describe(at: number): fc.Arbitrary<Edit> {
  const text = fc.constantFrom(...MARKDOWN);
  return text.map((value) => ({ do: 'insert', at, key: 'description', with: { value } }));
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('replace' as const), at: place, with: written }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('insert' as const), at: place, key, with: written }) },
  { weight: 2, arbitrary: place.chain(describe) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), at: place, key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'repeat' as const), at: place }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('nest' as const),
      at: place,
      levels: fc.constantFrom(1, 2, 50, 190, 250, 3000),
      in: fc.constantFrom('list' as const, 'map' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('alias' as const), at: place, of: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('copy' as const), at: place, of: place }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('grow' as const), at: place, times: fc.constantFrom(2, 30, 2000) }),
  },
);

const text: fc.Arbitrary<TextEdit> = fc.record({
  at: fc.nat(1000),
  plus: fc.nat(60),
  removed: fc.constantFrom(0, 0, 0, 1, 1, 2, 5, 40),
  inserted: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<string>(...TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
  ),
});

/** Generates one or two changes in most cases. With more, the document is usually rejected because of the first one. */
const few = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.array(one, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 3, maxLength: 8 }) },
  );

export const documentScripts: fc.Arbitrary<DocumentScript> = fc
  .tuple(
    fc.constantFrom('clock', 'contract', 'lifecycle', 'publishing', 'publishing', 'everything', 'everything', ...BASES),
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ edits: few(edit), texts: fc.constant([]) }) },
      { weight: 2, arbitrary: fc.record({ edits: fc.constant([]), texts: few(text) }) },
      { weight: 1, arbitrary: fc.record({ edits: few(edit), texts: few(text) }) },
    ),
    fc.constantFrom({}, { validation: 'report' as const }, { validation: 'enforce' as const }),
    fc.constantFrom(...Array<'not'>(100).fill('not'), ...Array<'here'>(20).fill('here'), 'process' as const),
  )
  .map(([base, changes, checks, start]) => ({ base, ...changes, ...checks, start }));
