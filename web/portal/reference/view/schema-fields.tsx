import { Link2 } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useMemo, useState } from 'react';
import { pluralize } from '../../../shared/format/number.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { allowedValues, constraintWords, typeWords } from '../model/constraints.ts';
import { partQuery } from '../../api/reference.ts';
import { type ApiDocument, type JsonObject, leftOutName } from '../model/document.ts';
import { choiceAt, entryAt, isOutermost, isSent, isWithin, otherAt, propertyAt } from '../model/places.ts';
import { type NamedSchema, readSchema, type SchemaView } from '../model/schema.ts';
import { ChoicesContext } from './choices-context.tsx';
import { Disclosure } from './disclosure.tsx';
import { PlacesContext, usePlace } from './places-context.tsx';
import styles from './reference.module.css';
import { Tabs } from './tabs.tsx';

interface Props {
  readonly document: ApiDocument;
  readonly schema: unknown;
  /** The place of the fields on the page. */
  readonly at: string;
  /** The schemas that contain the fields, outermost first. */
  readonly within?: readonly Outer[];
}

interface Outer {
  readonly reference: string;
  readonly at: string;
}

const NOTHING: readonly Outer[] = [];

/**
 * Shows the fields, entries or variants of a value. Nested ones are expanded on demand. A schema within itself becomes
 * a link to the outer one.
 */
export function SchemaFields({ document, schema, at, within = NOTHING }: Props) {
  const view = readSchema(document, schema);
  const outer = findEnclosing(view, within);
  if (outer !== undefined) return <SameAs outer={outer} view={view} />;
  const leftOut = leftOutName(view.raw);
  if (leftOut !== null) return <LeftOut document={document} schema={schema} at={at} within={within} name={leftOut} />;
  return (
    <div className={styles.schema}>
      <Constraints raw={view.raw} />
      <Parts document={document} view={view} at={at} within={withView(within, view, at)} />
    </div>
  );
}

/** A button that loads the fields of a large schema. */
function LeftOut({ document, schema, at, within, name }: Required<Props> & { readonly name: string }) {
  const [isWanted, setWanted] = useState(false);
  const { data, error } = useQuery({ ...partQuery('schema', name), enabled: isWanted });
  const whole = useMemo(() => (data === undefined ? undefined : document.with(data)), [document, data]);
  if (whole !== undefined) return <SchemaFields document={whole} schema={schema} at={at} within={within} />;
  return (
    <p className={styles.constraints}>
      <button type="button" className={styles.more} disabled={isWanted} onClick={() => setWanted(true)}>
        Load the fields of {name}
      </button>
      {error !== null && <span role="alert"> {error.message}</span>}
    </p>
  );
}

function Parts({ document, view, at, within }: Omit<Required<Props>, 'schema'> & { readonly view: SchemaView }) {
  const { choices, properties, items, additional } = view;
  return (
    <>
      {properties.length > 0 && <Fields document={document} properties={properties} at={at} within={within} />}
      {choices !== null && <Choices document={document} choices={choices} at={at} within={within} />}
      {items !== undefined && (
        <Nested document={document} label="Each entry" schema={items} at={entryAt(at)} within={within} isOpen />
      )}
      {isSchema(additional) && (
        <Nested document={document} label="Any other field" schema={additional} at={otherAt(at)} within={within} />
      )}
    </>
  );
}

/** The number of fields that are shown at first. A page with thousands of fields would be slow. */
const MAX_FIELDS = 150;

function Fields({
  document,
  properties,
  at,
  within,
}: Omit<Required<Props>, 'schema'> & Pick<SchemaView, 'properties'>) {
  const places = useContext(PlacesContext);
  const [asked, setAsked] = useState(MAX_FIELDS);
  const wanted = properties.findIndex(({ name }) => places?.at?.startsWith(propertyAt(at, name)) === true);
  const limit = Math.max(asked, wanted + 1);
  return (
    <>
      <ul className={styles.fields}>
        {properties.slice(0, limit).map((property) => (
          <Field
            key={property.name}
            document={document}
            {...property}
            at={propertyAt(at, property.name)}
            within={within}
            isAlone={properties.length === 1 && isOutermost(at)}
          />
        ))}
      </ul>
      {properties.length > limit && (
        <button type="button" className={styles.more} onClick={() => setAsked(limit + MAX_FIELDS)}>
          Show more ({pluralize(properties.length - limit, 'field')} left)
        </button>
      )}
    </>
  );
}

interface FieldProps extends Props, Pick<NamedSchema, 'name' | 'required'> {
  readonly description?: string | null;
  /** True if the field is the only one of a body, so that it starts expanded. */
  readonly isAlone?: boolean;
}

/** Shows the name, type, constraints and description of a field. */
export function Field(props: FieldProps) {
  const { document, name, required, schema, description, at, within = NOTHING, isAlone = false } = props;
  const view = readSchema(document, schema);
  const words = description ?? view.description;
  const place = usePlace(at);
  const values = inlineValues(view.raw);
  return (
    <li className={styles.field} {...place}>
      <div className={styles.fieldHead}>
        <code className={styles.fieldName}>{name}</code>
        <span className={styles.type}>
          {(values.length === 0 || view.types.length > 0) && typeWords(document, view)}
          {values.length > 0 && view.types.length > 0 && ': '}
          <Values values={values} />
        </span>
        {required && <Required at={at} />}
        <FieldLink at={at} name={name} />
      </div>
      {words !== null && (
        <div className={styles.about}>
          <Markdown text={words} />
        </div>
      )}
      <Constraints raw={view.raw} isInField />
      <InsideField document={document} name={name} schema={schema} at={at} within={within} isAlone={isAlone} />
    </li>
  );
}

function Required({ at }: { readonly at: string }) {
  if (isSent(at)) return <span className={styles.required}>required</span>;
  return <span className={styles.always}>always present</span>;
}

function FieldLink({ at, name }: { readonly at: string; readonly name: string }) {
  const places = useContext(PlacesContext);
  if (places === null) return null;
  return (
    <places.Link at={at} label={`Link to ${name}`} className={styles.fieldLink}>
      <Link2 size={14} aria-hidden />
    </places.Link>
  );
}

/** The maximum depth of lists within lists whose entries are shown without another click. */
const MAX_LISTS = 4;

/** Shows what is inside a field, or inside the entries of a list. */
function InsideField({
  document,
  name,
  schema,
  at,
  within,
  isAlone,
}: Required<Omit<FieldProps, 'required' | 'description'>>) {
  const places = useContext(PlacesContext);
  let [inner, innerAt, innerWithin] = [schema, at, within];
  let view = readSchema(document, inner);
  for (let lists = 0; view.items !== undefined && findEnclosing(view, innerWithin) === undefined; lists++) {
    if (lists === MAX_LISTS || view.properties.length > 0 || view.choices !== null) break;
    innerWithin = withView(innerWithin, view, innerAt);
    [inner, innerAt] = [view.items, entryAt(innerAt)];
    view = readSchema(document, inner);
  }
  if (!hasParts(view)) return <EntryConstraints view={view} isEntry={innerAt !== at} />;
  const outer = findEnclosing(view, innerWithin);
  if (outer !== undefined) return <SameAs outer={outer} view={view} />;
  const label = (verb: string) => (
    <>
      {verb} {formatAmount(view)}
      <span className={styles.hidden}> of {name}</span>
    </>
  );
  return (
    <Disclosure startsOpen={isAlone} isOpen={isWithin(places?.at, at)} label={label('Show')} openLabel={label('Hide')}>
      <SchemaFields document={document} schema={inner} at={innerAt} within={innerWithin} />
    </Disclosure>
  );
}

/** Shows the constraints on the entries of a list. Renders nothing for other values. */
function EntryConstraints({ view: { raw }, isEntry }: { readonly view: SchemaView; readonly isEntry: boolean }) {
  const words = constraintWords(raw);
  const values = allowedValues(raw);
  if (!isEntry || (words.length === 0 && values.length === 0)) return null;
  return (
    <div className={styles.constraints}>
      Each entry: <Words words={words} />
      {words.length > 0 && values.length > 0 && ' · '}
      <Values values={values} />
    </div>
  );
}

function formatAmount({ properties, choices, raw }: SchemaView): string {
  if (leftOutName(raw) !== null) return 'fields';
  if (properties.length > 0) return pluralize(properties.length, 'field');
  return choices === null ? 'values' : pluralize(choices.of.length, 'variant');
}

function SameAs({ outer, view }: { readonly outer: Outer; readonly view: SchemaView }) {
  const places = useContext(PlacesContext);
  const name = view.name ?? 'the outer object';
  return (
    <p className={styles.constraints}>
      The same fields as {places === null ? name : <places.Link at={outer.at}>{name}</places.Link>}, which contains it.
    </p>
  );
}

/** The maximum length of the allowed values for which they are shown beside the type. */
const MAX_INLINE = 60;

function inlineValues(raw: JsonObject): readonly string[] {
  const values = raw['const'] === undefined ? allowedValues(raw) : [];
  return values.join(', ').length > MAX_INLINE ? [] : values;
}

function Constraints({ raw, isInField = false }: Pick<SchemaView, 'raw'> & { readonly isInField?: boolean }) {
  const words = constraintWords(raw);
  const values = isInField && (raw['const'] !== undefined || inlineValues(raw).length > 0) ? [] : allowedValues(raw);
  return (
    <>
      {words.length > 0 && (
        <p className={styles.constraints}>
          <Words words={words} />
        </p>
      )}
      {values.length > 0 && (
        <div className={styles.constraints}>
          {values.length > 1 ? 'One of ' : 'Always '}
          <Values values={values} />
        </div>
      )}
    </>
  );
}

const PATTERN = 'matches ';

function Words({ words }: { readonly words: readonly string[] }) {
  return words.map((each, index) => (
    <span key={each}>
      {index > 0 && ' · '}
      {each.startsWith(PATTERN) ? (
        <>
          {PATTERN}
          <code>{each.slice(PATTERN.length)}</code>
        </>
      ) : (
        each
      )}
    </span>
  ));
}

/** The number of values that are shown at first. The others are shown on demand. */
const MAX_VALUES = 12;

function Values({ values }: { readonly values: readonly string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, MAX_VALUES);
  return (
    <>
      {shown.map((value, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <code className={styles.value}>{value}</code>
        </span>
      ))}
      {shown.length < values.length && (
        <>
          {' '}
          <button type="button" className={styles.more} onClick={() => setAll(true)}>
            Show all {values.length}
          </button>
        </>
      )}
    </>
  );
}

interface ChoicesProps extends Required<Pick<Props, 'document' | 'at' | 'within'>> {
  readonly choices: NonNullable<SchemaView['choices']>;
}

function Choices({ document, choices: { kind, of, key, by }, at, within }: ChoicesProps) {
  const places = useContext(PlacesContext);
  const shared = useContext(ChoicesContext);
  const wanted = of.find(({ name }) => isWithin(places?.at, choiceAt(at, name)))?.name;
  const [own, setOwn] = useState(wanted ?? of[0]?.name ?? '');
  const elsewhere = shared?.variants.get(key);
  const chosen = of.find(({ name }) => name === elsewhere)?.name ?? own;
  const share = shared?.chooseVariant;
  useEffect(() => {
    if (wanted !== undefined) share?.(key, wanted);
  }, [share, key, wanted]);
  const choice = of.find(({ name }) => name === chosen);
  return (
    <div className={styles.choices}>
      <p className={styles.constraints}>
        {kind === 'oneOf' ? 'One of these' : 'At least one of these'}
        {by !== null && (
          <>
            , by the value of <code>{by}</code>
          </>
        )}
        :
      </p>
      <Tabs
        label="Variants"
        tabs={of.map(({ name }) => ({ id: name, label: name }))}
        chosen={chosen}
        onChoose={(name) => {
          setOwn(name);
          share?.(key, name);
        }}
      >
        {choice !== undefined && (
          <Nested
            key={choice.name}
            document={document}
            label={null}
            schema={choice.schema}
            at={choiceAt(at, choice.name)}
            within={within}
            isOpen
          />
        )}
      </Tabs>
    </div>
  );
}

interface NestedProps extends Required<Props> {
  readonly label: string | null;
  readonly isOpen?: boolean;
}

function Nested({ document, label, schema, at, within, isOpen = false }: NestedProps) {
  const places = useContext(PlacesContext);
  const view = readSchema(document, schema);
  const type = view.name ?? typeWords(document, view);
  const words = label === null ? type : `${label}: ${type}`;
  if (!hasParts(view)) {
    return (
      <div className={styles.plain}>
        <span className={styles.type}>{words}</span>
        {view.description !== null && <Markdown text={view.description} />}
        <Constraints raw={view.raw} isInField={view.raw['const'] !== undefined} />
      </div>
    );
  }
  const fields = <SchemaFields document={document} schema={schema} at={at} within={within} />;
  if (isOpen) {
    return (
      <div className={styles.plain}>
        {label !== null && <span className={styles.type}>{words}</span>}
        {view.description !== null && <Markdown text={view.description} />}
        {fields}
      </div>
    );
  }
  return (
    <Disclosure label={words} isOpen={isWithin(places?.at, at)}>
      {fields}
    </Disclosure>
  );
}

/** Finds the outer occurrence of the same schema. Undefined if the schema is not inside itself. */
function findEnclosing({ reference }: SchemaView, within: readonly Outer[]): Outer | undefined {
  return reference === null ? undefined : within.find((outer) => outer.reference === reference);
}

function withView(within: readonly Outer[], { reference }: SchemaView, at: string): readonly Outer[] {
  return reference === null ? within : [...within, { reference, at }];
}

function hasParts({ properties, items, choices, additional, raw }: SchemaView): boolean {
  if (leftOutName(raw) !== null) return true;
  return properties.length > 0 || items !== undefined || choices !== null || isSchema(additional);
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
