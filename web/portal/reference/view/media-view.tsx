import { ScrollBox } from '../../../shared/ui/data/scroll-box.tsx';
import type { ApiDocument } from '../model/document.ts';
import { bodyText } from '../call/first-values.ts';
import type { Media } from '../model/operation.ts';
import { SchemaFields, Disclosure } from './schema-fields.tsx';
import styles from './reference.module.css';

/** A body in one media type: its schema and examples. */
export function MediaView({ document, media }: { readonly document: ApiDocument; readonly media: Media }) {
  const examples =
    media.examples.length === 0 ? [{ name: 'generated', summary: null, value: undefined }] : media.examples;
  return (
    <div className={styles.media}>
      <p className={styles.mediaType}>
        <code>{media.type}</code>
      </p>
      <SchemaFields document={document} schema={media.schema} />
      {examples.map((example) => (
        <Disclosure
          key={example.name}
          label={example.name === 'example' ? 'Example' : `Example: ${example.summary ?? example.name}`}
        >
          <ScrollBox label="Example" className={styles.code}>
            {bodyText(document, { ...media, examples: example.value === undefined ? [] : [example] })}
          </ScrollBox>
        </Disclosure>
      ))}
    </div>
  );
}
