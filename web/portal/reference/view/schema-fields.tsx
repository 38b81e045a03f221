import { type ReactNode, useState } from 'react';
import { Markdown } from '../../markdown/markdown.tsx';
import { allowedValues, constraintWords, typeWords } from '../model/constraints.ts';
import type { ApiDocument } from '../model/document.ts';
import { type NamedSchema, readSchema, type SchemaView } from '../model/schema.ts';
import styles from './reference.module.css';

interface Props {
  readonly document: ApiDocument;
  readonly schema: unknown;
}

/** The fields, entries or choices of a value, one level at a time. */
export function SchemaFields({ document, schema }: Props) {
  const view = readSchema(document, schema);
  return (
    <div className={styles.schema}>
      <Constraints raw={view.raw} />
      {view.choices !== null && <Choices document={document} choices={view.choices} />}
      {view.properties.length > 0 && (
        <ul className={styles.fields}>
          {view.properties.map((property) => (
            <Field key={property.name} document={document} {...property} />
          ))}
        </ul>
      )}
      {view.items !== undefined && <Nested document={document} label="Each entry" schema={view.items} isOpen />}
      {isSchema(view.additional) && <Nested document={document} label="Any other field" schema={view.additional} />}
    </div>
  );
}

/** A name with type, constraints and description; nested fields open on demand, so recursion ends. */
export function Field({
  document,
  name,
  required,
  schema,
  description,
}: Props & Pick<NamedSchema, 'name' | 'required'> & { readonly description?: string | null }) {
  const view = readSchema(document, schema);
  const words = description ?? view.description;
  return (
    <li className={styles.field}>
      <div className={styles.fieldHead}>
        <code className={styles.fieldName}>{name}</code>
        <span className={styles.type}>{typeWords(document, view)}</span>
        {required && <span className={styles.required}>required</span>}
      </div>
      {words !== null && <Markdown text={words} />}
      <Constraints raw={view.raw} />
      {hasParts(view) && <Inside document={document} schema={schema} label={`Inside ${name}`} />}
    </li>
  );
}

function Constraints({ raw }: Pick<SchemaView, 'raw'>) {
  const words = constraintWords(raw);
  const values = allowedValues(raw);
  return (
    <>
      {words.length > 0 && <p className={styles.constraints}>{words.join(' · ')}</p>}
      {values.length > 0 && (
        <p className={styles.constraints}>
          One of{' '}
          {values.map((value, index) => (
            <span key={value}>
              {index > 0 && ', '}
              <code>{value}</code>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Choices({
  document,
  choices,
}: Pick<Props, 'document'> & { readonly choices: NonNullable<SchemaView['choices']> }) {
  return (
    <div className={styles.choices}>
      <p className={styles.constraints}>{choices.kind === 'oneOf' ? 'One of these:' : 'At least one of these:'}</p>
      {choices.of.map(({ name, schema }, index) => (
        <Nested key={name} document={document} label={name} schema={schema} isOpen={index === 0} />
      ))}
    </div>
  );
}

function Nested({
  document,
  label,
  schema,
  isOpen = false,
}: Props & { readonly label: string; readonly isOpen?: boolean }) {
  const view = readSchema(document, schema);
  const type = `${label}: ${view.name ?? typeWords(document, view)}`;
  if (hasParts(view)) return <Inside document={document} schema={schema} label={type} isOpen={isOpen} />;
  return (
    <div className={styles.plain}>
      <span className={styles.type}>{type}</span>
      {view.description !== null && <Markdown text={view.description} />}
      <Constraints raw={view.raw} />
    </div>
  );
}

function Inside({
  document,
  schema,
  label,
  isOpen = false,
}: Props & { readonly label: string; readonly isOpen?: boolean }) {
  return (
    <Disclosure label={label} isOpen={isOpen}>
      <SchemaFields document={document} schema={schema} />
    </Disclosure>
  );
}

/** Holds nothing until it is opened. */
export function Disclosure({
  label,
  isOpen = false,
  children,
}: {
  readonly label: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details className={styles.inside} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {open && children}
    </details>
  );
}

function hasParts({ properties, items, choices, additional }: SchemaView): boolean {
  return properties.length > 0 || items !== undefined || choices !== null || isSchema(additional);
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
