import { useNavigate, useParams } from '@tanstack/react-router';
import { fileAddress } from '../../api/transport/root.ts';
import { show } from './part.tsx';
import styles from './placeholder.module.css';

/**
 * Marks a path parameter that the code of a call lacks. A click leads to its field in the form that sends the call, or
 * where there is no form, to what opens it. It is a link rather than a button, so that it is copied with the code.
 */
export function Placeholder({ name }: { readonly name: string }) {
  const { id } = useParams({ from: '/reference/$id' });
  const navigate = useNavigate({ from: '/reference/$id' });
  return (
    <a
      href={fileAddress(`reference/${encodeURIComponent(id)}?at=try`)}
      className={styles.placeholder}
      title={`Enter ${name} under “Try it”`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        const [field] = document.getElementsByName(`path ${name}`);
        if (field === undefined) {
          void navigate({ search: (all) => ({ ...all, at: 'try' }), replace: true, resetScroll: false });
          show('try');
        } else {
          field.scrollIntoView({ block: 'center' });
          field.focus({ preventScroll: true });
        }
      }}
    >{`{${name}}`}</a>
  );
}
