import { type FormEvent, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { TextField } from '../controls/field.tsx';
import styles from './request-card.module.css';

/**
 * A form that asks for the id of a request.
 *
 * @param onSearch called with the id, without surrounding spaces
 */
export function RequestSearch({ id, onSearch }: { readonly id: string; readonly onSearch: (id: string) => void }) {
  const [text, setText] = useState(id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form className={styles.search} onSubmit={submit}>
      <TextField
        label="Request id"
        placeholder="From the header X-Request-Id"
        required
        value={text}
        onChange={setText}
      />
      <Button kind="primary" type="submit">
        Explain
      </Button>
    </form>
  );
}
