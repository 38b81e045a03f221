import { useContext, useEffect } from 'react';
import type { ApiDocument } from '../model/document.ts';
import type { Media } from '../model/operation.ts';
import { isWithin, mediaAt } from '../model/places.ts';
import { useMediaType } from './shared-choices.tsx';
import { PlacesContext } from './places-context.tsx';
import styles from './reference.module.css';
import { SchemaFields } from './schema-fields.tsx';
import { Tabs } from './tabs.tsx';

interface Props {
  readonly document: ApiDocument;
  readonly media: readonly Media[];
  /** The place of the body on the page. */
  readonly at: string;
}

/** Shows the fields of a body. If the body has several media types, the user can select one. */
export function MediaViews({ document, media, at }: Props) {
  const places = useContext(PlacesContext);
  const wanted = media.findIndex((_, index) => index > 0 && places?.at?.startsWith(mediaAt(at, index)) === true);
  // A place in the first media type has no number in its name.
  const isInFirst = wanted === -1 && places?.at !== undefined && isWithin(places.at, at);
  const wantedType = media[isInFirst ? 0 : wanted]?.type;
  const [chosen, choose] = useMediaType(at, media);
  useEffect(() => {
    if (wantedType !== undefined) choose(wantedType);
  }, [wantedType, choose]);
  const index = media.findIndex(({ type }) => type === chosen);
  const shown = media[index];
  if (shown === undefined) return null;
  const fields = <SchemaFields key={shown.type} document={document} schema={shown.schema} at={mediaAt(at, index)} />;
  if (media.length === 1) {
    return (
      <div className={styles.media}>
        <p className={styles.mediaType}>
          <code>{shown.type}</code>
        </p>
        {fields}
      </div>
    );
  }
  return (
    <Tabs
      label="Media type"
      tabs={media.map(({ type }) => ({ id: type, label: <code>{type}</code> }))}
      chosen={chosen}
      onChoose={choose}
    >
      {fields}
    </Tabs>
  );
}
