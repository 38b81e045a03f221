import {
  useId,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly optional?: boolean;
  readonly children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode;
}

/** A control with its label, hint and error. */
export function Field({ label, hint, error, optional = false, children }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {optional && <span className={styles.optional}>optional</span>}
      </label>
      {children({ id, 'aria-describedby': `${id}-words`, 'aria-invalid': error !== undefined })}
      <div id={`${id}-words`} className={error === undefined ? styles.hint : styles.error}>
        {error ?? hint}
      </div>
    </div>
  );
}

/** The class of a text field, for inputs that other components render. */
export const inputClass = styles.input;

interface TextProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly optional?: boolean;
  /**
   * Replaces the browser's message about a value that does not match `type` or `pattern`. Shown when the user leaves
   * the field.
   */
  readonly invalidMessage?: string;
  readonly onChange: (value: string) => void;
}

export function TextField({ label, hint, error, optional, invalidMessage, onChange, className, ...rest }: TextProps) {
  const [isInvalid, setIsInvalid] = useState(false);
  const check = ({ value, validity }: HTMLInputElement) => setIsInvalid(value !== '' && !validity.valid);
  return (
    <Field label={label} hint={hint} error={error ?? (isInvalid ? invalidMessage : undefined)} optional={optional}>
      {(ids) => (
        <input
          {...ids}
          autoComplete="off"
          spellCheck={false}
          {...rest}
          className={[styles.input, className].filter(Boolean).join(' ')}
          onBlur={(event) => check(event.target)}
          onInvalid={(event) => {
            if (invalidMessage === undefined || event.currentTarget.value === '') return;
            event.preventDefault();
            check(event.currentTarget);
            event.currentTarget.focus();
          }}
          onChange={(event) => {
            if (isInvalid) check(event.target);
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

interface PlainProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly 'aria-label': string;
  readonly onChange: (value: string) => void;
}

/** A text field without a label of its own, for use inside an element that has one. */
export function PlainInput({ onChange, ...rest }: PlainProps) {
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      className={styles.input}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly optional?: boolean;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

export function SelectField({ label, hint, error, optional, options, onChange, ...rest }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(ids) => (
        <select {...ids} {...rest} className={styles.select} onChange={(event) => onChange(event.target.value)}>
          <Options options={options} />
        </select>
      )}
    </Field>
  );
}

/** A select that filters a table. It shows its label in front of the value ("Status: active"). */
export function FilterSelect({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: SelectProps['options'];
  readonly onChange: (value: string) => void;
}) {
  return (
    <select
      aria-label={label}
      className={`${styles.select} ${styles.filter}`}
      data-set={value !== ''}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{label}: all</option>
      <Options options={options} prefix={`${label}: `} />
    </select>
  );
}

interface CheckProps {
  readonly label: string;
  /** A hint for screen readers, if the label does not say enough. */
  readonly title?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A checkbox above a table or a chart that turns a filter or an option on. */
export function FilterCheck({ label, title, checked, onChange }: CheckProps) {
  return (
    <label className={styles.check} title={title} data-set={checked}>
      <input
        type="checkbox"
        aria-label={title}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}

function Options({ options, prefix = '' }: Pick<SelectProps, 'options'> & { readonly prefix?: string }) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {prefix}
      {label}
    </option>
  ));
}

interface AreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly optional?: boolean;
  readonly onChange: (value: string) => void;
}

/** A field for text of several lines, with its label, hint and error. */
export function TextArea({ label, hint, error, optional, onChange, className, ...rest }: AreaProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(ids) => (
        <textarea
          {...ids}
          {...rest}
          className={[styles.input, className].filter(Boolean).join(' ')}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
