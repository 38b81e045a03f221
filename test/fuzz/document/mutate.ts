import {
  Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { DocumentScript, Edit, TextEdit, Written } from './document-scripts.ts';

/** The position of a value in a map or list. */
interface Place {
  readonly in: YAMLMap | YAMLSeq;
  readonly index: number;
  readonly path: readonly (string | number)[];
}

/** A placeholder for raw YAML. */
const RAW_MARK = 'RAW_MARK_';

/** Applies the changes of a script to the text of a document. */
export function mutate(base: string, { edits, texts }: Pick<DocumentScript, 'edits' | 'texts'>): string {
  let text = base;
  if (edits.length > 0) {
    const document = parseDocument(base);
    const raws: string[] = [];
    for (const edit of edits) apply(document, edit, raws);
    text = document.toString({ verifyAliasOrder: false, lineWidth: 0 });
    for (const [index, raw] of raws.entries()) text = text.replaceAll(`${RAW_MARK}${index}_`, () => raw);
  }
  return texts.reduce(changed, text);
}

function changed(text: string, { at, plus, removed, inserted }: TextEdit): string {
  const from = Math.min(text.length, Math.floor((text.length * at) / 1000) + plus);
  return text.slice(0, from) + inserted + text.slice(from + removed);
}

function apply(document: Document, edit: Edit, raws: string[]): void {
  const places = listPlaces(document.contents);
  const placeAt = (number: number) => places[number % places.length];
  const place = placeAt(edit.at);
  if (place === undefined) return;
  switch (edit.do) {
    case 'replace':
      return put(place, findNode(document, edit.with, places, raws));
    case 'insert': {
      const added = findNode(document, edit.with, places, raws);
      const value = valueAt(place);
      if (isMap(value)) value.items.push(new Pair(document.createNode(edit.key), added));
      else if (isSeq(value)) value.items.push(added);
      else put(place, document.createNode({ [edit.key]: 1 }));
      return;
    }
    case 'rename':
      if (isMap(place.in)) place.in.items[place.index]!.key = document.createNode(edit.key);
      return;
    case 'delete':
      return void place.in.items.splice(place.index, 1);
    case 'repeat':
      return void place.in.items.splice(place.index, 0, place.in.items[place.index] as never);
    case 'nest':
      return nest(document, place, edit, raws);
    case 'alias': {
      const target = placeAt(edit.of);
      const node = target === undefined ? null : valueAt(target);
      if (!isNode(node) || isAlias(node)) return;
      node.anchor ??= `a${edit.of}`;
      return put(place, new Alias(node.anchor));
    }
    case 'copy': {
      const target = placeAt(edit.of);
      const node = target === undefined ? null : valueAt(target);
      return put(place, isNode(node) ? node.clone() : null);
    }
    case 'grow': {
      const value = valueAt(place);
      for (let index = 0; index < edit.times; index++) {
        if (isMap(value)) value.items.push(new Pair(document.createNode(`/more${index}`), document.createNode({})));
        else if (isSeq(value)) value.items.push(document.createNode(`more${index}`));
      }
    }
  }
}

function nest(document: Document, place: Place, { levels, in: kind }: Nesting, raws: string[]): void {
  const [open, close] = kind === 'list' ? ['[', ']'] : ['{ a: ', '}'];
  const inner = valueAt(place);
  if (levels > 2) return put(place, raw(document, `${open.repeat(levels)}1${close.repeat(levels)}`, raws));
  put(place, document.createNode(kind === 'list' ? [inner] : { nested: inner }));
}

type Nesting = Extract<Edit, { do: 'nest' }>;

function raw(document: Document, text: string, raws: string[]): Node {
  const scalar = document.createNode(`${RAW_MARK}${raws.push(text) - 1}_`) as Scalar;
  scalar.type = Scalar.PLAIN;
  return scalar;
}

function findNode(document: Document, written: Written, places: readonly Place[], raws: string[]): Node {
  if ('value' in written) return document.createNode(written.value);
  if ('ref' in written) return document.createNode({ $ref: written.ref });
  if ('refTo' in written) {
    const path = places[written.refTo % places.length]?.path ?? [];
    const steps = path.map((step) => encodeURIComponent(escaped(String(step).toWellFormed())));
    return document.createNode({ $ref: `#/${steps.join('/')}` });
  }
  return raw(document, written.raw, raws);
}

/** Escapes a segment of a JSON pointer (RFC 6901). */
function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function listPlaces(node: unknown, path: readonly (string | number)[] = []): Place[] {
  if (isMap(node)) {
    return node.items.flatMap(({ key, value }, index) => {
      const at = [...path, isScalar(key) ? String(key.value) : String(key)];
      return [{ in: node, index, path: at }, ...listPlaces(value, at)];
    });
  }
  if (!isSeq(node)) return [];
  return node.items.flatMap((item, index) => [
    { in: node, index, path: [...path, index] },
    ...listPlaces(item, [...path, index]),
  ]);
}

function valueAt({ in: parent, index }: Place): unknown {
  return isMap(parent) ? parent.items[index]?.value : parent.items[index];
}

function put({ in: parent, index }: Place, value: unknown): void {
  if (isSeq(parent)) parent.items[index] = value;
  else parent.items[index]!.value = value;
}
