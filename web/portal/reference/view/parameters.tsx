import type { ApiDocument } from '../model/document.ts';
import type { Parameter, ParameterPlace } from '../model/operation.ts';
import { parameterAt } from '../model/places.ts';
import styles from './reference.module.css';
import { Field } from './schema-fields.tsx';

const PLACES: readonly (readonly [ParameterPlace, string])[] = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
];

interface Props {
  readonly document: ApiDocument;
  readonly parameters: readonly Parameter[];
}

export function Parameters({ document, parameters }: Props) {
  return PLACES.map(([place, label]) => {
    const here = parameters.filter((each) => each.in === place);
    if (here.length === 0) return null;
    return (
      <div key={place}>
        <h3 className={styles.place}>{label}</h3>
        <ul className={styles.fields}>
          {here.map(({ name, required, schema, description }) => (
            <Field
              key={name}
              document={document}
              at={parameterAt({ in: place, name })}
              name={name}
              required={required}
              schema={schema}
              description={description}
            />
          ))}
        </ul>
      </div>
    );
  });
}
