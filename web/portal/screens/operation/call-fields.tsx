import { SelectField, TextArea, TextField } from '../../../shared/ui/controls/field.tsx';
import { type CallValues, valueName } from '../../reference/call/call.ts';
import { allowedValues, constraintWords } from '../../reference/model/constraints.ts';
import type { ApiDocument } from '../../reference/model/document.ts';
import { findExample } from '../../reference/call/first-values.ts';
import type { FormField } from '../../reference/model/body-form.ts';
import type { Operation, Parameter, RequestBody } from '../../reference/model/operation.ts';
import { brokenJson } from '../../reference/call/broken-json.ts';
import { readSchema } from '../../reference/model/schema.ts';
import styles from './operation-screen.module.css';

interface Props {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly values: CallValues;
  readonly onValues: (values: CallValues) => void;
}

/** Fields for the parameters and the body of a call. */
export function CallFields({
  document,
  operation: { parameters, body },
  values,
  onValues,
  onMediaType,
}: Props & { readonly onMediaType: (type: string) => void }) {
  const set = (name: string, text: string) =>
    onValues({ ...values, parameters: { ...values.parameters, [name]: text } });
  return (
    <>
      {parameters.map((parameter) => (
        <ParameterField
          key={valueName(parameter)}
          document={document}
          parameter={parameter}
          value={values.parameters[valueName(parameter)] ?? ''}
          onChange={(text) => set(valueName(parameter), text)}
        />
      ))}
      {body !== null && body.media.length > 1 && (
        <SelectField
          label="Media type"
          value={values.mediaType ?? ''}
          options={body.media.map(({ type }) => ({ value: type, label: type }))}
          onChange={onMediaType}
        />
      )}
      {body !== null && <BodyFields document={document} body={body} values={values} onValues={onValues} />}
    </>
  );
}

/** Fields for the body: one for the text, one for each form field, or one for a file. */
function BodyFields({ document, body, values, onValues }: Omit<Props, 'operation'> & { readonly body: RequestBody }) {
  const { form = TEXT } = body.media.find(({ type }) => type === values.mediaType) ?? {};
  const chooseFile = (name: string, file: File) => {
    const files = { ...values.files, [name]: file };
    if (name === '') onValues({ ...values, body: file.name, files });
    else onValues({ ...values, form: { ...values.form, [name]: file.name }, files });
  };
  if (form.kind === 'file') {
    return <FileField label="Body" required={body.required} onFile={(file) => chooseFile('', file)} />;
  }
  if (form.kind !== 'text') {
    return form.fields.map((field) => (
      <FormFieldInput
        key={field.name}
        document={document}
        field={field}
        value={values.form[field.name] ?? ''}
        onChange={(text) => onValues({ ...values, form: { ...values.form, [field.name]: text } })}
        onFile={(file) => chooseFile(field.name, file)}
      />
    ));
  }
  return (
    <TextArea
      label="Body"
      optional={!body.required}
      rows={Math.min(14, values.body.split('\n').length + 1)}
      spellCheck={false}
      className={styles.body}
      error={brokenJson(values) ?? undefined}
      value={values.body}
      onChange={(text) => onValues({ ...values, body: text })}
    />
  );
}

const TEXT = { kind: 'text' } as const;

function FormFieldInput({
  document,
  field,
  value,
  onChange,
  onFile,
}: {
  readonly document: ApiDocument;
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onFile: (file: File) => void;
}) {
  const { name, required, schema, isFile, isList, isJson } = field;
  if (isFile) return <FileField label={name} required={required} onFile={onFile} />;
  const { types, raw } = readSchema(document, schema);
  const choices = types.includes('boolean') ? ['true', 'false'] : allowedValues(raw);
  if (choices.length > 0) {
    const options = [{ value: '', label: '–' }, ...choices.map((each) => ({ value: each, label: each }))];
    return <SelectField label={name} value={value} optional={!required} options={options} onChange={onChange} />;
  }
  const common = { label: name, optional: !required, value, onChange };
  if (isJson) return <TextArea {...common} rows={3} hint="JSON" spellCheck={false} className={styles.body} />;
  return isList ? <TextArea {...common} rows={2} hint="One value per line." /> : <TextField {...common} />;
}

function FileField({
  label,
  required,
  onFile,
}: {
  readonly label: string;
  readonly required: boolean;
  readonly onFile: (file: File) => void;
}) {
  return (
    <label className={styles.file}>
      <span>
        {label}
        {!required && <span className={styles.optional}> optional</span>}
      </span>
      <input
        type="file"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}

interface FieldProps {
  readonly document: ApiDocument;
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const ONE_PER_LINE = 'One value per line.';
const NO_COOKIE = 'This is a cookie. The code above sends it, but calls from this page do not.';

function ParameterField({ document, parameter, value, onChange }: FieldProps) {
  const { name, schema } = parameter;
  const isCookie = parameter.in === 'cookie';
  // The portal cannot send cookies, so no cookie is required.
  const required = parameter.required && !isCookie;
  const { types, raw } = readSchema(document, schema);
  const words = constraintWords(raw).join(' · ');
  const hint = isCookie ? NO_COOKIE : words === '' ? undefined : words;
  const choices = types.includes('boolean') ? ['true', 'false'] : allowedValues(raw);
  if (choices.length > 0) {
    const options = choices.map((each) => ({ value: each, label: each }));
    return (
      <SelectField
        name={valueName(parameter)}
        label={name}
        hint={hint}
        value={value}
        optional={!required}
        options={required ? options : [{ value: '', label: '–' }, ...options]}
        onChange={onChange}
      />
    );
  }
  const common = { name: valueName(parameter), label: name, hint, optional: !required, required, value, onChange };
  if (types.includes('array'))
    return (
      <TextArea
        {...common}
        rows={2}
        hint={hint === undefined ? ONE_PER_LINE : `${ONE_PER_LINE} ${hint}`}
        spellCheck={false}
      />
    );
  const example = parameter.in === 'path' ? findExample(document, parameter) : null;
  return <TextField {...common} placeholder={example === null ? undefined : `e.g. ${example}`} />;
}
